package dev.homeport.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ErrorCode;
import dev.homeport.server.http.Route;
import dev.homeport.testing.OutsideIn;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The description and the running server, each against the other. */
@OutsideIn
class ApiDescriptionTest {
    private static final String NOTHING_HERE = "there is nothing here";
    private static final Set<String> DESTRUCTIVE = Set.of("delete");

    @TempDir
    static Path folder;

    private static TestServer server;
    private static JsonNode document;

    private record Operation(String method, String path, JsonNode json) {
        boolean takes(String query) {
            return json.path("parameters")
                    .valueStream()
                    .anyMatch(one -> one.path("in").asString("").equals("query")
                            && one.path("name").asString("").equals(query));
        }
    }

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
        TestClient admin = server.admin();
        admin.post("/api/v2/types", """
                        {"spec": {"id": "widget", "plural": "widgets", "schema": {"type": "object", "properties": {
                          "size": {"$ref": "#/$defs/size"}}, "$defs": {"size": {"type": "integer"}}}}}""").expect(201);
        admin.post("/api/v2/widgets", "{\"spec\": {\"id\": \"one\", \"size\": 3}}")
                .expect(201);
        admin.post("/namespaces", "{\"id\": \"one\"}").expect(200);
        admin.post("/clusters", """
                        {"id": "one", "cluster_name": "one", "cluster_dns": "one.example.com", "environment": "dev",
                         "namespaces": [{"id": "one"}]}""").expect(200);
        document = admin.get("/openapi.json").expect(200).json();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        document.get("paths")
                .forEachEntry((path, methods) ->
                        methods.forEachEntry((method, json) -> all.add(new Operation(method, path, json))));
        return all;
    }

    @Test
    void everyRouteOfTheTableIsDescribed() {
        for (Route route : server.running().routes().all()) {
            List<String> paths = route.path().contains("{plural}")
                    ? List.of(
                            route.path().replace("{plural}", "clusters"),
                            route.path().replace("{plural}", "widgets"))
                    : List.of(route.path());
            for (String path : paths) {
                JsonNode operation =
                        document.get("paths").path(path).path(route.method().toLowerCase(Locale.ROOT));
                assertThat(operation.path("operationId").asString(""))
                        .as(route.method() + " " + path)
                        .isNotEmpty();
                assertThat(operation.path("summary").asString("")).isNotEmpty();
            }
        }
    }

    @Test
    void everyOperationIsAnsweredBySomebody() {
        List<Operation> ordered = new ArrayList<>(operations());
        ordered.sort((a, b) -> Boolean.compare(DESTRUCTIVE.contains(a.method()), DESTRUCTIVE.contains(b.method())));
        for (Operation operation : ordered) {
            String path = operation
                    .path()
                    .replace("{dns}", "one.example.com")
                    .replace("{revision}", "1")
                    .replace("{type}", "namespaces")
                    .replace("{code}", "stale")
                    .replaceAll("\\{[a-z_]+}", "one");
            boolean streams = operation.json().path("responses").toString().contains("event-stream");
            boolean sends = operation.json().has("requestBody");
            TestClient.Answer answer = server.admin()
                    .send(
                            streams ? "HEAD" : operation.method().toUpperCase(Locale.ROOT),
                            path + (operation.takes("dry_run") ? "?dry_run=true" : ""),
                            sends ? "{}" : "",
                            Map.of());
            assertThat(answer.status())
                    .as(operation.method() + " " + path + " " + answer.text())
                    .isNotEqualTo(405)
                    .isLessThan(500);
            assertThat(answer.text()).as(path).doesNotContain(NOTHING_HERE);
        }
    }

    @Test
    void whatNeedsATokenSaysSo() {
        TestClient nobody = server.admin("");
        for (Operation operation : operations()) {
            boolean open = operation.json().get("security").isEmpty();
            String path = operation.path().replace("{code}", "stale").replaceAll("\\{[a-z_]+}", "one");
            int status = nobody.send(operation.method().toUpperCase(Locale.ROOT), path, "", Map.of())
                    .status();
            // Too many wrong tokens get a refusal of their own.
            boolean elsewhere = operation.json().path("responses").has("302"); // where sign-in is not configured
            assertThat(elsewhere ? Set.of(404) : open ? Set.of(200) : Set.of(401, 429))
                    .as(operation.method() + " " + path)
                    .contains(status);
        }
    }

    @Test
    void theDocumentIsSound() {
        assertThat(document.get("openapi").stringValue()).startsWith("3.1.");
        assertThat(document.at("/info/title").stringValue()).isNotEmpty();
        assertThat(document.at("/info/version").stringValue()).isNotEmpty();
        Set<String> ids = new HashSet<>();
        for (Operation operation : operations()) {
            String at = operation.method() + " " + operation.path();
            assertThat(operation.path()).startsWith("/");
            assertThat(ids.add(operation.json().get("operationId").stringValue()))
                    .as(at)
                    .isTrue();
            Set<String> good = new HashSet<>();
            operation.json().get("responses").forEachEntry((status, response) -> {
                assertThat(status).as(at).matches("[2345][0-9]{2}");
                if (status.equals("302")) {
                    good.add(status);
                }
                if (status.startsWith("2")) {
                    good.add(status);
                    if (!status.equals("202")) {
                        assertThat(response.path("content").isEmpty()).as(at).isFalse();
                    }
                    if (!operation.path().startsWith("/openapi")) {
                        assertThat(response.toString())
                                .as(at + " is described in operations.json")
                                .doesNotContain("schemas/any\"");
                    }
                }
            });
            assertThat(good).as(at).isNotEmpty();
            Set<String> declared = new HashSet<>();
            operation.json().path("parameters").forEach(parameter -> {
                if (parameter.get("in").stringValue().equals("path")) {
                    assertThat(parameter.get("required").booleanValue()).isTrue();
                    declared.add(parameter.get("name").stringValue());
                }
                assertThat(parameter.has("schema")).as(at).isTrue();
            });
            Set<String> inPath = new HashSet<>();
            Pattern.compile("\\{([a-z_]+)}")
                    .matcher(operation.path())
                    .results()
                    .forEach(found -> inPath.add(found.group(1)));
            assertThat(declared).as(at).isEqualTo(inPath);
        }
        references(document);
    }

    @Test
    void anIndependentReaderOfOpenApiFindsNothingWrong() {
        ParseOptions options = new ParseOptions();
        options.setResolve(false);
        SwaggerParseResult read = new OpenAPIV3Parser().readContents(document.toString(), List.of(), options);
        assertThat(read.getMessages()).isEmpty();
        assertThat(read.getOpenAPI().getPaths()).hasSize(document.get("paths").size());
        assertThat(read.getOpenAPI().getComponents().getSchemas())
                .hasSize(document.at("/components/schemas").size());
    }

    @Test
    void everyTypeOfProblemLeadsToItsExplanation() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(server.admin("")
                            .get("/problems/" + code.code())
                            .expect(200)
                            .at("/meaning")
                            .asString(""))
                    .isNotEmpty();
        }
        server.admin("").get("/problems/nonsense").expect(404);
    }

    private static void references(JsonNode node) {
        JsonNode reference = node.path("$ref");
        if (reference.isString()) {
            assertThat(reference.stringValue()).startsWith("#/");
            assertThat(document.at(reference.stringValue().substring(1)).isMissingNode())
                    .as(reference.stringValue())
                    .isFalse();
        }
        node.forEach(ApiDescriptionTest::references);
    }

    @Test
    void theYamlFormSaysTheSame() {
        assertThat(new YAMLMapper()
                        .readTree(server.admin("").get("/openapi.yaml").text()))
                .isEqualTo(new YAMLMapper().readTree(document.toString()));
    }

    @Test
    void aTypeMadeLaterIsDescribedAtOnce() {
        assertThat(document.at("/components/schemas/widget_spec/properties/size/$ref")
                        .stringValue())
                .isEqualTo("#/components/schemas/widget_spec/$defs/size");
        assertThat(document.get("paths").has("/api/v2/flux/clusters/{dns}/widgets"))
                .isTrue();
        assertThat(document.get("paths").has("/api/v2/gadgets")).isFalse();
        server.admin()
                .post(
                        "/api/v2/types",
                        "{\"spec\": {\"id\": \"gadget\", \"plural\": \"gadgets\", \"schema\": {\"type\": \"object\"}}}")
                .expect(201);
        assertThat(server.admin("").get("/openapi.json").json().get("paths").has("/api/v2/gadgets/{id}"))
                .isTrue();
    }
}
