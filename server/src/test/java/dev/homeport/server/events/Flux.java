package dev.homeport.server.events;

import dev.homeport.access.EventSignature;
import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.storage.MasterKeyFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster as seen from outside: it polls, and its notification-controller posts signed events. */
public final class Flux {
    private static final List<String> TYPES = List.of("platform-components", "namespaces", "rolebindings");

    private final String poll;
    private final String token;
    private final String cluster;
    private final String key;
    private int version = 100;

    Flux(String poll, String token, String cluster, String key) {
        this.poll = poll;
        this.token = token;
        this.cluster = cluster;
        this.key = key;
    }

    /** Makes the cluster, with a component of each given id, and takes over its keys. */
    public static Flux adopt(TestServer server, String cluster, String... components) {
        TestClient admin = server.admin();
        ObjectNode spec = StrictJson.object()
                .put("cluster_name", cluster)
                .put("cluster_dns", dns(cluster))
                .put("environment", "dev")
                .put("owner", "team-a");
        for (String component : components) {
            component(admin, component);
            spec.withArray("platform_components").addObject().put("id", component);
        }
        ObjectNode body = StrictJson.object().put("id", cluster);
        body.set("spec", spec);
        long made = admin.post("/api/v2/clusters", body.toString())
                .expect(201)
                .at("/meta/revision")
                .longValue();
        String token = admin.post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"" + cluster + "\"}}")
                .expect(201)
                .at("/token")
                .stringValue();
        return new Flux(server.poll("").base(), token, cluster, eventKey(server.data(), cluster, made));
    }

    public static void component(TestClient admin, String id) {
        if (admin.get("/api/v2/platform-components/" + id).status() == 404) {
            admin.post("/api/v2/platform-components", """
                            {"id": "NAME", "spec": {"component_path": "apps/NAME/1.0.0", "component_version": "1.0.0",
                             "kind": "helm", "oci_url": "oci://registry.example.com/platform/NAME", "oci_tag": "1.0.0"}}
                            """.replace("NAME", id)).expect(201);
        }
    }

    static String eventKey(Path data, String cluster, long made) {
        return MasterKeyFile.in(data).read().eventKey(cluster, made);
    }

    public static String dns(String cluster) {
        return cluster + ".k8s.example.com";
    }

    /** The same cluster, talking to another server or with other keys. */
    Flux at(String otherPoll) {
        return new Flux(otherPoll, token, cluster, key);
    }

    String key() {
        return key;
    }

    String token() {
        return token;
    }

    /** Polls every type as a set; returns the digest of the components' answer. */
    public String poll() {
        String digest = "";
        for (String type : TYPES) {
            String found = poll(type);
            digest = type.equals("platform-components") ? found : digest;
        }
        return digest;
    }

    public String poll(String type) {
        return get(answers(type)).expect(200).at("/inputs/0/digest").stringValue();
    }

    /** Like Flux it retries later after 429. */
    private TestClient.Answer get(String path) {
        return Await.until(() -> client().get(path), answer -> answer.status() != 429);
    }

    /** Polls every type as providers do that are polled that often. */
    void pollEvery(String interval) {
        for (String type : TYPES) {
            get(answers(type) + "?every=" + interval).expect(200);
        }
    }

    /** Polls for components as a client that calls itself that. */
    void pollAs(String agent) {
        client().send("GET", answers("platform-components"), "", Map.of("User-Agent", agent))
                .expect(200);
    }

    private String answers(String type) {
        return "/api/v2/flux/clusters/" + dns(cluster) + "/sets/" + type;
    }

    TestClient client() {
        return new TestClient(poll, token);
    }

    TestClient.Answer post(byte[] body, String signature) {
        return new TestClient(poll, "").send("POST", path(), body, Map.of("X-Signature", signature));
    }

    String path() {
        return "/api/v2/flux/clusters/" + dns(cluster) + "/events";
    }

    TestClient.Answer post(ObjectNode event) {
        byte[] body = event.toString().getBytes(StandardCharsets.UTF_8);
        return post(body, EventSignature.of(key, body));
    }

    TestClient.Answer post(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return post(bytes, EventSignature.of(key, bytes));
    }

    /** A HelmRelease's event; each has a later resource version than the one before. */
    public ObjectNode release(String component, String reason, String revision, String answer) {
        return event("HelmRelease", component, reason, revision, answer)
                .put("severity", reason.endsWith("Failed") ? "error" : "info")
                .put("message", "Helm: " + reason + " for " + component);
    }

    /** What a Kustomization says after every reconcile. */
    public ObjectNode heartbeat(String component, String revision, String answer) {
        return event("Kustomization", component, "ReconciliationSucceeded", revision, answer)
                .put("message", "Reconciliation finished in 120ms, next run in 10m0s");
    }

    public ObjectNode event(String kind, String component, String reason, String revision, String answer) {
        version++;
        ObjectNode event = StrictJson.object();
        event.putObject("involvedObject")
                .put("kind", kind)
                .put("namespace", "flux-system")
                .put("name", "c-" + component)
                .put("resourceVersion", Integer.toString(version));
        event.put("severity", "info")
                .put("timestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("reason", reason)
                .put("message", reason)
                .put("reportingController", "a controller");
        ObjectNode metadata = event.putObject("metadata");
        metadata.put("component_id", component).put("cluster", "somebody-else");
        if (!revision.isEmpty()) {
            metadata.put("revision", revision);
        }
        if (!answer.isEmpty()) {
            metadata.put("answer_digest", answer);
        }
        return event;
    }

    /** What the set of a type's objects says. */
    public ObjectNode applied(String type) {
        ObjectNode event = event("ResourceSet", type, "ApplySucceeded", "", "");
        ((ObjectNode) event.get("metadata")).remove("component_id");
        ((ObjectNode) event.get("metadata")).put("answer_type", type);
        return event;
    }

    /** What a witness's set says of an object that is not as Homeport knows it. */
    public ObjectNode witness(String question, String kind, String ready, String revision, String item) {
        String seen = String.join("\n", kind, ready, "Because", revision, "", item, "", "");
        return witness(
                question,
                "Retrying dependency check: failed to evaluate the CEL expression '…': no such key: hw1 " + question
                        + " " + Base64.getEncoder().encodeToString(seen.getBytes(StandardCharsets.UTF_8)));
    }

    /** What a witness's set says of the versions in the cluster's FluxReport. */
    public ObjectNode facts(String kubernetes, String flux) {
        String seen = String.join("\n", "FluxReport", kubernetes, "linux/amd64", flux, "v0.58.1");
        return witness(
                "facts",
                "Retrying dependency check: failed to evaluate the CEL expression '…': no such key: hw1 facts "
                        + Base64.getEncoder().encodeToString(seen.getBytes(StandardCharsets.UTF_8)));
    }

    /** What a witness's set says of an object whose deletion hangs. */
    public ObjectNode deleting(String question, String kind, String finalizer) {
        String seen = String.join("\n", kind, "", "", "", "", "", "deleting " + finalizer, "");
        return witness(
                question,
                "Retrying dependency check: failed to evaluate the CEL expression '…': no such key: hw1 " + question
                        + " " + Base64.getEncoder().encodeToString(seen.getBytes(StandardCharsets.UTF_8)));
    }

    /** What a witness's set says of an object that does not exist. */
    public ObjectNode absent(String question) {
        return witness(
                question,
                "Retrying dependency check: dependency helm.toolkit.fluxcd.io/v2/HelmRelease/flux-system/c-it"
                        + " not found: helmreleases.helm.toolkit.fluxcd.io \"c-it\" not found");
    }

    /** What a witness's set says when it begins to wait. */
    public ObjectNode witness(String question, String message) {
        ObjectNode event = event("ResourceSet", "witness", "DependencyNotReady", "", "");
        event.put("message", message);
        ((ObjectNode) event.get("metadata")).remove("component_id");
        ((ObjectNode) event.get("metadata"))
                .put(
                        "witness",
                        StrictJson.object().put("HelmRelease/c-it", question).toString());
        return event;
    }

    /** The items of the answer about witnesses. */
    public JsonNode witnesses() {
        // A server that has just started does not know yet what was reported before.
        return Await.until(() -> get(answers("witnesses")), reply -> reply.status() != 503)
                .expect(200)
                .at("/inputs/0");
    }

    public static ObjectNode at(ObjectNode event, Instant time) {
        return event.put("timestamp", time.truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
