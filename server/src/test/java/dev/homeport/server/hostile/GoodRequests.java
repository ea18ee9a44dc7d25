package dev.homeport.server.hostile;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** For each operation of the description a request that succeeds, with all that must be there before it. */
final class GoodRequests {
    private static final String V2 = "/api/v2/";
    private static final String MERGE = "application/merge-patch+json";

    private final TestClient admin;
    private final Map<String, String> plurals;
    private final Map<String, String> roots;

    GoodRequests(TestClient admin, Map<String, String> plurals) {
        this.admin = admin;
        this.plurals = plurals;
        this.roots = Map.of(
                "clusters", "cluster",
                "platform_components", "platform_component",
                "namespaces", "namespace",
                "rolebindings", "rolebinding");
    }

    /** What other requests refer to. */
    void lay() {
        // Settings that name no format can be replaced and deleted without a confirmation.
        TestClient.Answer asked = admin.delete(V2 + "settings/fleet", "*").expect(409);
        admin.send(
                        "DELETE",
                        V2 + "settings/fleet",
                        "",
                        Map.of("If-Match", "*", "Homeport-Confirm", asked.header("Homeport-Confirm")))
                .expect(200);
        create("type", "widget", """
                {"plural":"widgets","schema":{"type":"object","additionalProperties":false,
                 "properties":{"size":{"type":"integer"}}}}""");
        create("namespace", "base", "{}");
        create("platform_component", "base", """
                {"component_path":"apps/base/1.0.0","component_version":"1.0.0","kind":"helm",
                 "oci_url":"oci://registry.example.com/base","oci_tag":"v1.0.0"}""");
        create("workspace", "nobodys", "{}");
        create("access_role", "looker", "{\"permissions\":[{\"verbs\":[\"read\"],\"types\":[\"cluster\"]}]}");
    }

    /** @param round so that what the last round used up is there again */
    Request of(String operation, String round) {
        String id = operation.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z]", "") + round;
        int end = operation.indexOf('_');
        if (operation.startsWith("root_")) {
            return root(operation, id);
        }
        if (operation.startsWith("poll_")) {
            return poll(operation);
        }
        if (end > 0 && !operation.startsWith("openapi_")) {
            return document(operation, operation.substring(0, end), operation.substring(end + 1), id);
        }
        return special(operation, id);
    }

    private Request document(String operation, String kind, String type, String wanted) {
        String id = type.equals("settings") ? "fleet" : short_(wanted);
        String plural = V2 + plurals.get(type);
        String one = plural + "/" + id;
        switch (kind) {
            case "listDocuments" -> {
                return Request.of(operation, "GET", plural).asking("page_size=5&counts=true");
            }
            case "createDocument" -> {
                absent(type, id);
                return Request.of(operation, "POST", plural)
                        .json(envelope(type, id).toString());
            }
            default -> {}
        }
        String target = type.equals("token") ? token("person", "reader-of-tokens") : id;
        if (!type.equals("token")) {
            present(type, id);
        } else {
            one = plural + "/" + target;
        }
        return switch (kind) {
            case "getDocument" -> Request.of(operation, "GET", one);
            case "listRevisions" ->
                Request.of(operation, "GET", one + "/revisions").asking("page_size=5");
            case "replaceDocument" ->
                Request.of(operation, "PUT", one)
                        .json(envelope(type, id).toString())
                        .with("If-Match", "*");
            case "patchDocument" ->
                Request.of(operation, "PATCH", one).json(touched(type, id)).with("Content-Type", MERGE);
            case "deleteDocument" -> Request.of(operation, "DELETE", one).with("If-Match", "*");
            case "restoreDocument" ->
                Request.of(operation, "POST", one + ":restore").asking("revision=" + revisionOf(one));
            default -> throw new AssertionError("no request is known for " + operation);
        };
    }

    /** Ids of namespaces and helm components are short. */
    private static String short_(String id) {
        return id.length() > 40 ? id.substring(id.length() - 40) : id;
    }

    private static String touched(String type, String id) {
        ObjectNode body = StrictJson.object();
        body.set("spec", Specs.of(type, id));
        return body.toString();
    }

    private ObjectNode envelope(String type, String id) {
        ObjectNode body = StrictJson.object().put("id", id);
        body.set("spec", Specs.of(type, id));
        return body;
    }

    private void create(String type, String id, String spec) {
        ObjectNode body = StrictJson.object().put("id", id);
        body.set("spec", StrictJson.read(spec));
        admin.post(V2 + plurals.getOrDefault(type, type + "s"), body.toString()).expect(201);
    }

    private void present(String type, String id) {
        if (admin.get(V2 + plurals.get(type) + "/" + id).status() == 404) {
            admin.post(V2 + plurals.get(type), envelope(type, id).toString()).expect(201);
        }
    }

    private void absent(String type, String id) {
        String path = V2 + plurals.get(type) + "/" + id;
        if (admin.get(path).status() == 200) {
            admin.delete(path, "*").expect(200);
        }
    }

    private long revisionOf(String path) {
        return admin.get(path).expect(200).at("/meta/revision").longValue();
    }

    private String token(String kind, String subject) {
        return admin.post(
                        V2 + "tokens",
                        "{\"spec\":{\"kind\":\"" + kind + "\",\"subject\":\"" + subject + "\",\"access\":\"reader\"}}")
                .expect(201)
                .at("/id")
                .stringValue();
    }

    private Request root(String operation, String wanted) {
        int end = operation.lastIndexOf('_');
        String collection = operation.substring("root_".length(), end);
        String type = roots.getOrDefault(collection, "");
        String verb = operation.substring(end + 1);
        String id = short_(wanted);
        String all = "/" + collection;
        ObjectNode body = Specs.of(type, id).put("id", id);
        switch (verb) {
            case "list" -> {
                return Request.of(operation, "GET", all).asking("limit=5");
            }
            case "create" -> {
                return Request.of(operation, "POST", all).json(body.toString());
            }
            default -> present(type, id);
        }
        Request one = Request.of(operation, verb.equals("get") ? "GET" : "PUT", all + "/" + id);
        return switch (verb) {
            case "get" -> one;
            case "update" -> {
                body.remove("id"); // there it is not looked at
                yield one.json(body.toString());
            }
            case "delete" -> one.by("DELETE");
            default -> throw new AssertionError("no request is known for " + operation);
        };
    }

    private Request poll(String operation) {
        String flux = V2 + "flux/clusters";
        if (operation.equals("poll_clusters")) {
            return Request.of(operation, "GET", flux).asking("environment=dev");
        }
        present("cluster", "polled");
        boolean set = operation.startsWith("poll_set_");
        String type = operation.substring(set ? "poll_set_".length() : "poll_".length());
        return Request.of(
                operation,
                "GET",
                flux + "/polled.example.com/" + (set ? "sets/" : "") + plurals.getOrDefault(type, type));
    }

    private Request special(String operation, String id) {
        String cluster = V2 + "clusters/" + id;
        if (operation.endsWith("Cluster")) {
            present("cluster", id);
            polled(id);
        }
        return switch (operation) {
            case "listChanges" -> Request.of(operation, "GET", V2 + "changes").asking("page_size=5&text=a");
            case "getChange" -> Request.of(operation, "GET", V2 + "changes/2").asking("page_size=5");
            case "createChange" ->
                Request.of(operation, "POST", V2 + "changes")
                        .json("{\"reason\":\"r\",\"operations\":[{\"op\":\"put\",\"type\":\"namespace\",\"id\":\"" + id
                                + "\",\"spec\":{\"owner\":\"team-a\"}},{\"op\":\"create\",\"type\":\"workspaces\",\"id\":\""
                                + id + "\",\"spec\":{\"description\":\"d\"}}]}");
            case "revertChange" -> {
                var made = admin.post(
                                V2 + "namespaces", envelope("namespace", id).toString())
                        .expect(201);
                yield Request.of(operation, "POST", V2 + "changes/" + made.header("Homeport-Revision") + ":revert");
            }
            case "repairCluster" -> Request.of(operation, "POST", V2 + "clusters/damaged:repair");
            case "getPayload" -> {
                present("cluster", id);
                yield Request.of(operation, "GET", cluster + "/payload/namespaces")
                        .asking("shape=set");
            }
            case "explainCluster" ->
                Request.of(operation, "GET", cluster + "/explain").asking("type=namespaces");
            case "diffCluster" -> Request.of(operation, "GET", cluster + "/diff");
            case "decommissionCluster" ->
                Request.of(operation, "POST", cluster + ":decommission").asking("delete_namespaces=false");
            case "undeleteCluster" -> after(cluster, ":detach", Request.of(operation, "POST", cluster + ":undelete"));
            case "detachCluster" -> Request.of(operation, "POST", cluster + ":detach");
            case "purgeCluster" ->
                after(
                        cluster,
                        ":detach",
                        Request.of(operation, "POST", cluster + ":purge").asking("force=true"));
            case "pauseCluster" ->
                Request.of(operation, "POST", cluster + ":pause").asking("reason=look");
            case "resumeCluster" -> after(cluster, ":pause", Request.of(operation, "POST", cluster + ":resume"));
            case "cloneCluster" ->
                Request.of(operation, "POST", cluster + ":clone")
                        .json("{\"id\":\"" + id + "-copy\",\"cluster_dns\":\"" + id
                                + "-copy.example.com\",\"owner\":\"team-b\"}");
            case "createToken" ->
                Request.of(operation, "POST", V2 + "tokens")
                        .json("{\"spec\":{\"kind\":\"service\",\"subject\":\"robot\",\"label\":\"l\"}}");
            case "rotateToken" ->
                Request.of(operation, "POST", V2 + "tokens/" + token("service", id) + ":rotate")
                        .json("{\"overlap_seconds\":60}");
            case "revokeToken" -> Request.of(operation, "DELETE", V2 + "tokens/" + token("service", id));
            case "getDelivery" -> {
                present("cluster", id);
                yield Request.of(operation, "GET", cluster + "/delivery");
            }
            case "listProbeResults" -> {
                present("probe", "asked");
                yield Request.of(operation, "GET", V2 + "probes/asked/results").asking("outcome=pending");
            }
            case "listFindings" -> Request.of(operation, "GET", V2 + "findings").asking("page_size=5");
            case "bootstrapCluster" ->
                Request.of(operation, "POST", cluster + ":bootstrap")
                        .json(
                                "{\"url\":\"https://homeport.example.com\",\"namespace\":\"flux-system\",\"replace\":true}");
            case "bootstrapClusters" -> {
                present("cluster", id);
                yield Request.of(operation, "POST", V2 + "clusters:bootstrap")
                        .json("{\"clusters\":[\"" + id
                                + "\"],\"url\":\"https://homeport.example.com\",\"replace\":true}");
            }
            case "exportGit" ->
                Request.of(operation, "GET", V2 + "export/git").asking("repository=https://git.example.com/fleet.git");
            case "canI" ->
                Request.of(operation, "POST", V2 + "me:can")
                        .json(
                                "{\"verb\":\"update\",\"type\":\"namespace\",\"id\":\"base\",\"spec\":{\"owner\":\"team-a\"}}");
            case "signOutEverywhere" ->
                Request.of(operation, "POST", V2 + "me:sign-out-everywhere")
                        .json("{\"subject\":\"person:nobody-signs-in\"}");
            case "join" -> {
                present("cluster", id);
                String token = admin.post(V2 + "tokens", "{\"spec\":{\"kind\":\"join\",\"subject\":\"" + id + "\"}}")
                        .expect(201)
                        .at("/token")
                        .stringValue();
                yield Request.of(operation, "POST", V2 + "join")
                        .json("{\"url\":\"https://homeport.example.com\",\"format\":\"helm\"}")
                        .with("Authorization", "Bearer " + token);
            }
            case "exportFleet" -> Request.of(operation, "GET", V2 + "export").asking("format=json");
            case "importFleet" ->
                Request.of(operation, "POST", V2 + "import")
                        .json("{\"homeport_export\":1,\"documents\":[{\"type\":\"namespace\",\"id\":\"" + id
                                + "\",\"spec\":{\"owner\":\"team-a\"}}]}");
            case "listTypes" -> Request.of(operation, "GET", V2 + "types");
            case "logout" -> Request.of(operation, "POST", "/logout");
            case "getSignIn" -> Request.of(operation, "GET", V2 + "sign-in");
            case "getMe" -> Request.of(operation, "GET", V2 + "me");
            case "explainProblem" -> Request.of(operation, "GET", "/problems/stale");
            case "stream" -> Request.of(operation, "HEAD", V2 + "stream");
            case "metrics" -> Request.of(operation, "GET", "/metrics");
            case "openapi_json" -> Request.of(operation, "GET", "/openapi.json");
            case "openapi_yaml" -> Request.of(operation, "GET", "/openapi.yaml");
            case "health", "ready", "livez", "readyz" -> Request.of(operation, "GET", "/" + operation);
            default -> throw new AssertionError("no request is known for " + operation);
        };
    }

    private Request after(String cluster, String verb, Request request) {
        var first = admin.post(cluster + verb, "");
        if (first.status() == 409) {
            admin.send("POST", cluster + verb, "", Map.of("Homeport-Confirm", first.header("Homeport-Confirm")))
                    .expect(200);
        } else {
            first.expect(200);
        }
        return request;
    }

    /** A cluster that never polled is forgotten when it is deleted. */
    private void polled(String id) {
        JsonNode dns = admin.get(V2 + "clusters/" + id).expect(200).at("/spec/cluster_dns");
        admin.get(V2 + "flux/clusters/" + dns.stringValue() + "/namespaces").expect(200);
    }
}
