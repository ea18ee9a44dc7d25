package dev.homeport.server.admin;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A fleet that a test builds with few words, over HTTP and with an admin's token. */
final class Fleet {
    final TestServer server;
    final TestClient admin;

    Fleet(TestServer server) {
        this.server = server;
        this.admin = server.admin();
    }

    TestClient.Answer create(String plural, String id, String spec) {
        ObjectNode body = StrictJson.object().put("id", id);
        body.set("spec", StrictJson.read(spec));
        return admin.post("/api/v2/" + plural, body.toString());
    }

    void component(String id) {
        component(id, "{}");
    }

    void component(String id, String more) {
        ObjectNode spec = StrictJson.read("""
                {"component_path": "apps/NAME/1.0.0", "component_version": "1.0.0", "kind": "helm",
                 "oci_url": "oci://registry.example.com/platform/NAME", "oci_tag": "v1.0.0"}""".replace("NAME", id));
        spec.setAll(StrictJson.read(more));
        create("platform-components", id, spec.toString()).expect(201);
    }

    void cluster(String id, String environment, String more) {
        create("clusters", id, clusterSpec(id, environment, more)).expect(201);
    }

    static String clusterSpec(String id, String environment, String more) {
        ObjectNode spec = StrictJson.object()
                .put("cluster_name", id)
                .put("cluster_dns", dns(id))
                .put("environment", environment)
                .put("owner", "team-a");
        spec.setAll(StrictJson.read(more));
        return spec.toString();
    }

    static String dns(String cluster) {
        return cluster + ".k8s.example.com";
    }

    long revision() {
        return admin.get("/api/v2/changes?page_size=1")
                .expect(200)
                .at("/items/0/revision")
                .longValue();
    }

    /** Repeats a refused write with the confirmation that came with the refusal. */
    TestClient.Answer confirmed(String method, String path, String body, Map<String, String> headers) {
        TestClient.Answer first = admin.send(method, path, body, headers);
        if (first.status() != 409 || first.header("Homeport-Confirm").isEmpty()) {
            return first;
        }
        Map<String, String> again = new TreeMap<>(headers);
        again.put("Homeport-Confirm", first.header("Homeport-Confirm"));
        return admin.send(method, path, body, again);
    }

    TestClient.Answer patch(String path, String spec) {
        return confirmed(
                "PATCH", path, "{\"spec\":" + spec + "}", Map.of("Content-Type", "application/merge-patch+json"));
    }

    TestClient.Answer change(String body) {
        return confirmed("POST", "/api/v2/changes", body, Map.of());
    }

    /** What a cluster's poll is answered, as the bytes of the flat shape. */
    String polled(String cluster, String plural) {
        return poll(cluster, plural).expect(200).text();
    }

    TestClient.Answer poll(String cluster, String plural) {
        return server.poll(server.adminToken()).get("/api/v2/flux/clusters/" + dns(cluster) + "/" + plural);
    }

    /** Of what is held until a server has read what clusters reported before, the first answer that is not held. */
    static TestClient.Answer sets(TestClient client, String cluster, String plural) {
        Instant end = Instant.now().plusSeconds(60);
        while (true) {
            TestClient.Answer answer = client.get("/api/v2/flux/clusters/" + dns(cluster) + "/sets/" + plural);
            if (answer.status() != 503 || Instant.now().isAfter(end)) {
                return answer.expect(200);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    JsonNode input(String cluster, String plural, String id) {
        for (JsonNode input : poll(cluster, plural).expect(200).at("/inputs")) {
            if (input.path("id").asString("").equals(id)) {
                return input;
            }
        }
        throw new AssertionError("cluster " + cluster + " has no input " + id);
    }

    String etag(String path) {
        return admin.get(path).expect(200).header("ETag");
    }

    String token(String spec) {
        return admin.post("/api/v2/tokens", "{\"spec\":" + spec + "}")
                .expect(201)
                .at("/token")
                .stringValue();
    }
}
