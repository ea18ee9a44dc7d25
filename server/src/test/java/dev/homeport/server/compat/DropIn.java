package dev.homeport.server.compat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.RunningServer;
import dev.homeport.server.TestClient;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A server started by the environment of flux-resourceset and nothing else. */
final class DropIn implements AutoCloseable {
    static final String READ = "the-read-token";
    static final String WRITE = "the-write-token";

    private final RunningServer server;

    private DropIn(Map<String, String> environment) {
        server = RunningServer.start(ServerSettings.of(SettingSources.read(Map.of(), environment, Optional.empty())));
    }

    static DropIn crud() {
        return start(Map.of("API_MODE", "crud"));
    }

    static DropIn start(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "LISTEN_ADDR", "127.0.0.1:0", "AUTH_TOKEN", READ, "CRUD_AUTH_TOKEN", WRITE, "STORE_BACKEND", "memory"));
        environment.putAll(more);
        return new DropIn(environment);
    }

    RunningServer server() {
        return server;
    }

    TestClient with(String token) {
        return new TestClient("http://" + server.admin().or(server::poll).orElseThrow(), token);
    }

    TestClient reader() {
        return with(READ);
    }

    TestClient writer() {
        return with(WRITE);
    }

    /** The inputs of a poll, which must succeed. */
    JsonNode inputs(String path) {
        return reader().get("/api/v2/flux/clusters" + path).expect(200).json().get("inputs");
    }

    /** A component, a namespace, a binding and a cluster that has them; ids begin with the word. */
    void fleet(String word) {
        writer().post("/platform_components", component(word + "-app")).expect(200);
        writer().post(
                        "/namespaces",
                        json("{'id':'" + word + "-ns','labels':{'team':'a'},'annotations':{'contact':'x'}}"))
                .expect(200);
        writer().post(
                        "/rolebindings",
                        json("{'id':'" + word + "-rb','role':'view','subjects':[{'kind':'Group','name':'team',"
                                + "'apiGroup':'rbac.authorization.k8s.io'}]}"))
                .expect(200);
        writer().post("/clusters", cluster(word)).expect(200);
    }

    static String component(String id) {
        return json("{'id':'" + id + "','component_path':'core/" + id + "/1.0.0','component_version':'1.0.0',"
                + "'cluster_env_enabled':true,'oci_url':'oci://registry.example.com/platform','oci_tag':'v1.0.0',"
                + "'depends_on':[]}");
    }

    static String cluster(String word) {
        return json("{'id':'" + word + "','cluster_name':'" + word + "','cluster_dns':'" + word
                + ".example.com','environment':'dev','platform_components':[{'id':'" + word
                + "-app','enabled':true,'oci_tag':null}],'namespaces':[{'id':'" + word
                + "-ns','labels':{}}],'rolebindings':[{'id':'" + word + "-rb'}],'patches':{'" + word
                + "-app':{'replicas':'5'}}}");
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }

    static JsonNode parse(TestClient.Answer answer) {
        return StrictJson.parse(answer.bytes());
    }

    @Override
    public void close() {
        server.close();
    }
}
