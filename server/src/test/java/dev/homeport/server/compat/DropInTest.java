package dev.homeport.server.compat;

import static dev.homeport.server.compat.DropIn.json;
import static dev.homeport.server.compat.DropIn.parse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import tools.jackson.databind.JsonNode;

/** What clients of flux-resourceset rely on, one row for each promise. */
@OutsideIn
class DropInTest {
    private static DropIn server;

    @BeforeAll
    static void start() {
        server = DropIn.crud();
        server.fleet("base");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Row(String promise, Executable check) {}

    private static Stream<DynamicTest> tests(Row... rows) {
        return Stream.of(rows).map(row -> DynamicTest.dynamicTest(row.promise(), row.check()));
    }

    private static TestClient writer() {
        return server.writer();
    }

    private static TestClient reader() {
        return server.reader();
    }

    private static TestClient.Answer put(String path, String body) {
        return writer().send("PUT", path, json(body), Map.of());
    }

    private static TestClient.Answer delete(String path) {
        return writer().send("DELETE", path, "", Map.of());
    }

    private static void refused(TestClient.Answer answer, int status, String error, String words) {
        answer.expect(status);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.at("/error").asString("")).isEqualTo(error);
        assertThat(answer.at("/message").asString("")).contains(words);
        assertThat(answer.at("/status").intValue()).isEqualTo(status);
        assertThat(answer.at("/code").asString("")).isNotEmpty();
        assertThat(answer.at("/detail").asString("")).isNotEmpty();
    }

    private static String ids(JsonNode list) {
        return String.join(
                " ", list.valueStream().map(one -> one.get("id").stringValue()).toList());
    }

    @TestFactory
    Stream<DynamicTest> readEndpoints() {
        return tests(
                new Row("platform-components have all the fields", () -> {
                    JsonNode input = server.inputs("/base.example.com/platform-components")
                            .get(0);
                    assertThat(input.get("id").stringValue()).isEqualTo("base-app");
                    assertThat(input.get("component_path").stringValue()).isEqualTo("core/base-app/1.0.0");
                    assertThat(input.get("resolved_path").stringValue()).isEqualTo("core/base-app/1.0.0/dev");
                    assertThat(input.get("component_version").stringValue()).isEqualTo("1.0.0");
                    assertThat(input.get("cluster_env_enabled").booleanValue()).isTrue();
                    assertThat(input.get("depends_on").isArray()).isTrue();
                    assertThat(input.get("enabled").booleanValue()).isTrue();
                    assertThat(input.get("patches").get("replicas").stringValue())
                            .isEqualTo("5");
                    assertThat(input.get("source").get("oci_url").stringValue())
                            .isEqualTo("oci://registry.example.com/platform");
                    assertThat(input.get("source").get("oci_tag").stringValue()).isEqualTo("v1.0.0");
                    cluster(input, "base");
                }),
                new Row("namespaces have labels, annotations and the cluster", () -> {
                    JsonNode input =
                            server.inputs("/base.example.com/namespaces").get(0);
                    assertThat(input.get("labels").get("team").stringValue()).isEqualTo("a");
                    assertThat(input.get("annotations").get("contact").stringValue())
                            .isEqualTo("x");
                    cluster(input, "base");
                }),
                new Row("rolebindings have role, subjects and the cluster", () -> {
                    JsonNode input =
                            server.inputs("/base.example.com/rolebindings").get(0);
                    assertThat(input.get("role").stringValue()).isEqualTo("view");
                    assertThat(input.get("subjects").get(0).toString())
                            .contains("Group", "team", "rbac.authorization.k8s.io");
                    cluster(input, "base");
                }),
                new Row("values are never null and maps and lists never missing", () -> {
                    writer().post("/namespaces", json("{'id':'bare-ns'}")).expect(200);
                    writer().post(
                                    "/platform_components",
                                    json(
                                            "{'id':'bare-app','component_path':'a/b','component_version':'1',"
                                                    + "'oci_url':'oci://registry.example.com/p','oci_tag':'v1','depends_on':[]}"))
                            .expect(200);
                    writer().post(
                                    "/clusters",
                                    json("{'id':'bare','cluster_name':'bare','cluster_dns':'bare.example.com',"
                                            + "'environment':'dev','node_count':null,'platform_components':[{'id':"
                                            + "'bare-app','enabled':true}],'namespaces':[{'id':'bare-ns'}]}"))
                            .expect(200);
                    JsonNode namespace =
                            server.inputs("/bare.example.com/namespaces").get(0);
                    assertThat(namespace.get("labels").isObject()).isTrue();
                    assertThat(namespace.get("annotations").isObject()).isTrue();
                    JsonNode component = server.inputs("/bare.example.com/platform-components")
                            .get(0);
                    assertThat(component.get("patches").isObject()).isTrue();
                    assertThat(component.get("depends_on").isArray()).isTrue();
                    assertThat(component.get("cluster_env_enabled").booleanValue())
                            .isFalse();
                    assertThat(component.toString()).doesNotContain("null");
                    JsonNode shown = writer().get("/clusters/bare").expect(200).json();
                    assertThat(shown.has("node_count")).isFalse();
                    assertThat(shown.has("owner")).isFalse();
                    assertThat(shown.get("rolebindings").isArray()).isTrue();
                    assertThat(shown.get("patches").isObject()).isTrue();
                }),
                new Row("answers come in the order of ids", () -> {
                    writer().post("/namespaces", json("{'id':'zz-ns'}")).expect(200);
                    writer().post("/namespaces", json("{'id':'aa-ns'}")).expect(200);
                    put("/clusters/bare", "{'namespaces':[{'id':'zz-ns'},{'id':'bare-ns'},{'id':'aa-ns'}]}")
                            .expect(200);
                    assertThat(ids(server.inputs("/bare.example.com/namespaces")))
                            .isEqualTo("aa-ns bare-ns zz-ns");
                    assertThat(ids(writer().get("/clusters/bare").json().get("namespaces")))
                            .isEqualTo("zz-ns bare-ns aa-ns");
                }),
                new Row("a disabled component stays, with enabled false", () -> {
                    server.fleet("idle");
                    put("/clusters/idle", "{'platform_components':[{'id':'idle-app','enabled':false}],'patches':{}}")
                            .expect(200);
                    JsonNode inputs = server.inputs("/idle.example.com/platform-components");
                    assertThat(inputs.size()).isEqualTo(1);
                    assertThat(inputs.get(0).get("enabled").booleanValue()).isFalse();
                }),
                new Row("a cluster overrides path and tag, and never the version", () -> {
                    server.fleet("canary");
                    put(
                                    "/clusters/canary",
                                    "{'platform_components':[{'id':'canary-app','enabled':true,'oci_tag':'v2-rc1',"
                                            + "'component_path':'core/canary-app/2.0.0','component_version':'9'}]}")
                            .expect(200);
                    JsonNode input = server.inputs("/canary.example.com/platform-components")
                            .get(0);
                    assertThat(input.get("source").get("oci_tag").stringValue()).isEqualTo("v2-rc1");
                    assertThat(input.get("component_path").stringValue()).isEqualTo("core/canary-app/2.0.0");
                    assertThat(input.get("component_version").stringValue()).isEqualTo("1.0.0");
                }),
                new Row("another DNS name makes the old one 404", () -> {
                    server.fleet("moved");
                    put("/clusters/moved", "{'cluster_dns':'new.example.com'}").expect(200);
                    reader().get("/api/v2/flux/clusters/moved.example.com/namespaces")
                            .expect(404);
                    assertThat(server.inputs("/new.example.com/namespaces").size())
                            .isEqualTo(1);
                }),
                new Row(
                        "an unknown cluster is 404, never an empty list",
                        () -> reader().get("/api/v2/flux/clusters/nobody.example.com/namespaces")
                                .expect(404)),
                new Row("HEAD works and a query string does not matter", () -> {
                    reader().send("HEAD", "/api/v2/flux/clusters/base.example.com/namespaces", "", Map.of())
                            .expect(200);
                    reader().send("HEAD", "/clusters", "", Map.of()).expect(200);
                    assertThat(server.inputs("/base.example.com/namespaces?x=1").size())
                            .isEqualTo(1);
                }));
    }

    private static void cluster(JsonNode input, String word) {
        assertThat(input.get("cluster").get("name").stringValue()).isEqualTo(word);
        assertThat(input.get("cluster").get("dns").stringValue()).isEqualTo(word + ".example.com");
        assertThat(input.get("cluster").get("environment").stringValue()).isEqualTo("dev");
    }

    @TestFactory
    Stream<DynamicTest> lists() {
        return tests(
                new Row("a list is a bare array sorted by id", () -> {
                    TestClient.Answer answer = reader().get("/namespaces").expect(200);
                    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
                    JsonNode list = parse(answer);
                    assertThat(list.isArray()).isTrue();
                    List<String> found = list.valueStream()
                            .map(one -> one.get("id").stringValue())
                            .toList();
                    assertThat(found).isSorted().contains("base-ns");
                }),
                new Row("limit and offset cut out a part", () -> {
                    String all = ids(parse(reader().get("/namespaces")));
                    JsonNode part = parse(reader().get("/namespaces?limit=2&offset=1"));
                    assertThat(all).contains(ids(part));
                    assertThat(part.size()).isLessThanOrEqualTo(2);
                    assertThat(ids(parse(reader().get("/namespaces?limit=1")))).isEqualTo(all.split(" ", 2)[0]);
                }),
                new Row(
                        "limit=0 is []",
                        () -> assertThat(reader().get("/clusters?limit=0")
                                        .expect(200)
                                        .text())
                                .isEqualTo("[]")),
                new Row("a bad limit or offset is 400", () -> {
                    for (String bad : List.of("limit=-1", "limit=x", "limit=", "offset=-1", "offset=1.5")) {
                        refused(reader().get("/clusters?" + bad), 400, "validation_error", "is not a number");
                    }
                }),
                new Row("clusters are filtered by cluster_dns and environment", () -> {
                    assertThat(ids(parse(reader().get("/clusters?cluster_dns=base.example.com"))))
                            .isEqualTo("base");
                    assertThat(reader().get("/clusters?environment=prod").text())
                            .isEqualTo("[]");
                    assertThat(ids(parse(reader().get("/clusters?environment=dev&cluster_dns=base.example.com"))))
                            .isEqualTo("base");
                }),
                new Row("components are filtered by component_version", () -> {
                    assertThat(reader().get("/platform_components?component_version=none")
                                    .text())
                            .isEqualTo("[]");
                    assertThat(ids(parse(reader().get("/platform_components?component_version=1.0.0"))))
                            .contains("base-app");
                }));
    }

    @TestFactory
    Stream<DynamicTest> writes() {
        return tests(
                new Row("POST answers with the created document", () -> {
                    TestClient.Answer answer = writer().post("/namespaces", json("{'id':'made','labels':{'a':'b'}}"));
                    answer.expect(200);
                    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
                    assertThat(answer.at("/id").stringValue()).isEqualTo("made");
                    assertThat(answer.at("/labels/a").stringValue()).isEqualTo("b");
                }),
                new Row(
                        "a second create of an id is 409 and names it",
                        () -> refused(
                                writer().post("/namespaces", json("{'id':'base-ns'}")), 409, "conflict", "base-ns")),
                new Row("PUT takes any subset, answers with the document and keeps the rest", () -> {
                    server.fleet("subset");
                    TestClient.Answer answer =
                            put("/clusters/subset", "{'node_count':3}").expect(200);
                    assertThat(answer.at("/node_count").intValue()).isEqualTo(3);
                    assertThat(answer.at("/patches/subset-app/replicas").stringValue())
                            .isEqualTo("5");
                    put("/clusters/subset", "{}").expect(200);
                }),
                new Row("a list or patches replaces the whole list or map", () -> {
                    server.fleet("whole");
                    TestClient.Answer answer = put(
                                    "/clusters/whole", "{'namespaces':[],'patches':{'whole-app':{'message':'hello'}}}")
                            .expect(200);
                    assertThat(answer.at("/namespaces").isEmpty()).isTrue();
                    assertThat(answer.at("/patches/whole-app").toString()).isEqualTo(json("{'message':'hello'}"));
                }),
                new Row("an id in the body does not rename, and null means leave", () -> {
                    server.fleet("keep");
                    TestClient.Answer answer = put(
                                    "/clusters/keep", "{'id':'other','cluster_name':null,'patches':null}")
                            .expect(200);
                    assertThat(answer.at("/id").stringValue()).isEqualTo("keep");
                    assertThat(answer.at("/cluster_name").stringValue()).isEqualTo("keep");
                    assertThat(answer.at("/patches/keep-app").isObject()).isTrue();
                    writer().get("/clusters/other").expect(404);
                }),
                new Row("unknown fields are ignored and not stored, in references too", () -> {
                    server.fleet("odd");
                    TestClient.Answer answer = put(
                                    "/clusters/odd",
                                    "{'colour':'red','namespaces':[{'id':'odd-ns','labels':{'x':'y'},'z':1}]}")
                            .expect(200);
                    assertThat(answer.json().has("colour")).isFalse();
                    assertThat(answer.at("/namespaces/0").toString()).isEqualTo(json("{'id':'odd-ns'}"));
                }),
                new Row(
                        "no If-Match is needed",
                        () -> put("/namespaces/base-ns", "{'labels':{'team':'a'}}")
                                .expect(200)),
                new Row("DELETE answers with the deleted document", () -> {
                    writer().post("/namespaces", json("{'id':'gone'}")).expect(200);
                    assertThat(delete("/namespaces/gone").expect(200).at("/id").stringValue())
                            .isEqualTo("gone");
                    writer().get("/namespaces/gone").expect(404);
                }),
                new Row("an unknown id is 404", () -> {
                    for (String collection : List.of("clusters", "platform_components", "namespaces", "rolebindings")) {
                        refused(reader().get("/" + collection + "/nobody"), 404, "not_found", "");
                        refused(put("/" + collection + "/nobody", "{}"), 404, "not_found", "");
                        refused(delete("/" + collection + "/nobody"), 404, "not_found", "");
                    }
                }),
                new Row(
                        "deleting what is used is refused with its users",
                        () -> refused(delete("/platform_components/base-app"), 409, "conflict", "cluster/base")),
                new Row("a cluster made here has protected false and an input limit of 100", () -> {
                    JsonNode stored = reader().get("/clusters/base").json();
                    assertThat(stored.get("protected").booleanValue()).isFalse();
                    assertThat(stored.get("input_limit").intValue()).isEqualTo(100);
                }),
                new Row("a chart from a web address takes dotted patches", () -> {
                    writer().post(
                                    "/platform_components",
                                    json("{'id':'podinfo','component_path':'podinfo','component_version':'latest',"
                                            + "'oci_url':'https://stefanprodan.github.io/podinfo','oci_tag':'latest',"
                                            + "'depends_on':['traefik']}"))
                            .expect(200);
                    writer().post(
                                    "/clusters",
                                    json("{'id':'charts','cluster_name':'charts','cluster_dns':'charts.example.com',"
                                            + "'environment':'dev','platform_components':[{'id':'podinfo','enabled':true,"
                                            + "'oci_tag':null,'component_path':null}],'patches':{'podinfo':{"
                                            + "'replicaCount':'3','ui.message':'hello'}}}"))
                            .expect(200);
                    JsonNode patches = server.inputs("/charts.example.com/platform-components")
                            .get(0)
                            .get("patches");
                    assertThat(patches.toString()).isEqualTo(json("{'replicaCount':'3','ui.message':'hello'}"));
                }));
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        String app =
                "'id':'x','component_path':'a','component_version':'1','oci_url':'oci://r.example.com/p','oci_tag':'v1'";
        return tests(
                new Row(
                        "unknown platform component",
                        () -> refused(
                                put("/clusters/base", "{'platform_components':[{'id':'nope','enabled':true}]}"),
                                400,
                                "validation_error",
                                "unknown platform component")),
                new Row(
                        "unknown namespace",
                        () -> refused(
                                put("/clusters/base", "{'namespaces':[{'id':'nope'}]}"),
                                400,
                                "validation_error",
                                "unknown namespace")),
                new Row(
                        "unknown rolebinding",
                        () -> refused(
                                put("/clusters/base", "{'rolebindings':[{'id':'nope'}]}"),
                                400,
                                "validation_error",
                                "unknown rolebinding")),
                new Row(
                        "patches references unknown",
                        () -> refused(
                                put("/clusters/base", "{'patches':{'nope':{'a':'b'}}}"),
                                400,
                                "validation_error",
                                "patches references unknown")),
                new Row(
                        "duplicate platform component id",
                        () -> refused(
                                put(
                                        "/clusters/base",
                                        "{'platform_components':[{'id':'base-app','enabled':true},"
                                                + "{'id':'base-app','enabled':false}]}"),
                                400,
                                "validation_error",
                                "duplicate platform component id")),
                new Row(
                        "duplicate namespace id",
                        () -> refused(
                                put("/clusters/base", "{'namespaces':[{'id':'base-ns'},{'id':'base-ns'}]}"),
                                400,
                                "validation_error",
                                "duplicate namespace id")),
                new Row(
                        "duplicate rolebinding id",
                        () -> refused(
                                put("/clusters/base", "{'rolebindings':[{'id':'base-rb'},{'id':'base-rb'}]}"),
                                400,
                                "validation_error",
                                "duplicate rolebinding id")),
                new Row("references need id and enabled", () -> {
                    refused(
                            put("/clusters/base", "{'platform_components':[{'id':'base-app'}]}"),
                            400,
                            "validation_error",
                            "enabled");
                    refused(
                            put("/clusters/base", "{'platform_components':[{'enabled':true}]}"),
                            400,
                            "validation_error",
                            "id");
                }),
                new Row(
                        "depends_on is required on create",
                        () -> refused(
                                writer().post("/platform_components", json("{" + app + "}")),
                                400,
                                "validation_error",
                                "depends_on")),
                new Row(
                        "an id is required on create",
                        () -> refused(writer().post("/namespaces", "{}"), 400, "validation_error", "id")),
                new Row(
                        "not JSON is 415",
                        () -> refused(
                                writer().send("POST", "/namespaces", "id=x", Map.of("Content-Type", "text/plain")),
                                415,
                                "validation_error",
                                "JSON")),
                new Row(
                        "broken JSON is 400",
                        () -> refused(writer().post("/namespaces", "{\"id\":"), 400, "validation_error", "JSON")),
                new Row(
                        "a body that is no object is 400",
                        () -> refused(writer().post("/namespaces", "[]"), 400, "validation_error", "object")),
                new Row("an unknown method is 405", () -> {
                    refused(writer().send("PATCH", "/clusters/base", "{}", Map.of()), 405, "method_not_allowed", "");
                    refused(writer().send("DELETE", "/clusters", "", Map.of()), 405, "method_not_allowed", "");
                }),
                new Row("nothing of a refused request takes effect", () -> {
                    String before = reader().get("/clusters/base").text();
                    put("/clusters/base", "{'node_count':7,'namespaces':[{'id':'nope'}]}")
                            .expect(400);
                    assertThat(reader().get("/clusters/base").text()).isEqualTo(before);
                }));
    }

    @TestFactory
    @Requirement("E4")
    Stream<DynamicTest> tokens() {
        return tests(
                new Row("missing or wrong is 401", () -> {
                    for (String path : List.of("/clusters", "/namespaces/base-ns")) {
                        refused(server.with("").get(path), 401, "unauthorized", "");
                        refused(server.with("wrong").get(path), 401, "unauthorized", "");
                    }
                    server.with("").get("/api/v2/flux/clusters").expect(401);
                }),
                new Row("the read token on a write is 401, before the body is read", () -> {
                    refused(reader().post("/namespaces", "this is not JSON"), 401, "unauthorized", "");
                    refused(reader().send("PUT", "/namespaces/base-ns", "{}", Map.of()), 401, "unauthorized", "");
                    refused(reader().send("DELETE", "/namespaces/base-ns", "", Map.of()), 401, "unauthorized", "");
                    refused(server.with("wrong").post("/namespaces", "no JSON"), 401, "unauthorized", "");
                    server.with(DropIn.READ).get("/namespaces/base-ns").expect(200);
                }),
                new Row("the read token may GET the collections, and the write token too", () -> {
                    for (String path : List.of("/clusters", "/platform_components", "/namespaces", "/rolebindings")) {
                        reader().get(path).expect(200);
                        writer().get(path).expect(200);
                    }
                }),
                new Row("the read token reads nothing else of the admin plane", () -> {
                    reader().get("/api/v2/stream").expect(403);
                    reader().get("/metrics").expect(403);
                }),
                new Row(
                        "the write token does not poll",
                        () -> writer().get("/api/v2/flux/clusters/base.example.com/namespaces")
                                .expect(404)));
    }

    @TestFactory
    Stream<DynamicTest> service() {
        return tests(
                new Row("health, ready and openapi.yaml need no token", () -> {
                    server.with("").get("/health").expect(200);
                    server.with("").get("/ready").expect(200);
                    assertThat(server.with("").get("/openapi.yaml").expect(200).text())
                            .contains("openapi:", "/platform_components/{id}");
                }),
                new Row(
                        "Basic authentication works with the token as password",
                        () -> server.with("")
                                .send(
                                        "GET",
                                        "/clusters",
                                        "",
                                        Map.of(
                                                "Authorization",
                                                "Basic "
                                                        + java.util.Base64.getEncoder()
                                                                .encodeToString(("any:" + DropIn.READ)
                                                                        .getBytes(
                                                                                java.nio.charset.StandardCharsets
                                                                                        .UTF_8))))
                                .expect(200)));
    }

    @Test
    @Requirement(value = "C11", part = "the list; no ResourceSet of a management cluster reads it")
    void provisionersGetTheListOfClusters() {
        server.fleet("listed");
        JsonNode inputs = server.inputs("?environment=dev");
        JsonNode one = inputs.valueStream()
                .filter(input -> input.get("id").stringValue().equals("listed"))
                .findFirst()
                .orElseThrow();
        assertThat(one.get("cluster_name").stringValue()).isEqualTo("listed");
        assertThat(one.get("cluster_dns").stringValue()).isEqualTo("listed.example.com");
        assertThat(one.get("environment").stringValue()).isEqualTo("dev");
        assertThat(inputs.valueStream().map(input -> input.get("id").stringValue()))
                .doesNotHaveDuplicates();
        assertThat(server.inputs("?environment=prod").isEmpty())
                .as("prod exists and no cluster was ever in it")
                .isTrue();
        reader().get("/api/v2/flux/clusters?environment=prdo").expect(404);
    }

    @Test
    @Requirement("C5")
    void aDeletedClusterIsGoneHereAndItsPollsAreEmpty() {
        server.fleet("leaver");
        List<String> types = List.of("platform-components", "namespaces", "rolebindings");
        types.forEach(type ->
                assertThat(server.inputs("/leaver.example.com/" + type).size()).isEqualTo(1));

        delete("/clusters/leaver").expect(200);

        reader().get("/clusters/leaver").expect(404);
        put("/clusters/leaver", "{'node_count':1}").expect(404);
        delete("/clusters/leaver").expect(404);
        assertThat(ids(parse(reader().get("/clusters")))).doesNotContain("leaver");
        types.forEach(
                type -> assertThat(server.inputs("/leaver.example.com/" + type).isEmpty())
                        .isTrue());
        reader().get("/api/v2/flux/clusters/nobody.example.com/namespaces").expect(404);
    }

    @Test
    void aProtectedClusterNeedsTheConfirmationThatTheRefusalHandsOut() {
        server.fleet("precious");
        put("/clusters/precious", "{'protected':true}").expect(200);
        server.inputs("/precious.example.com/namespaces");

        TestClient.Answer refusal = delete("/clusters/precious");
        refused(refusal, 409, "conflict", "protected");
        assertThat(refusal.at("/plan/hash").stringValue()).isNotEmpty();
        reader().get("/clusters/precious").expect(200);

        String confirmation = refusal.header("Homeport-Confirm");
        writer().send("DELETE", "/clusters/precious", "", Map.of("Homeport-Confirm", confirmation))
                .expect(200);
        assertThat(server.inputs("/precious.example.com/namespaces").isEmpty()).isTrue();
    }
}
