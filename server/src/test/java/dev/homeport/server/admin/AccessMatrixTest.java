package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.server.admin.AccessRules.Principal;
import dev.homeport.server.admin.AccessRules.Which;
import dev.homeport.server.signin.TestProvider;
import dev.homeport.testing.OutsideIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every operation of the OpenAPI document, by every kind of caller, on own documents, on those of others and on missing ones.
 * Writes are dry runs, so that each cell meets the same fleet. An operation without a rule fails, and so does a table in
 * docs/access.md that differs from this one.
 */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessMatrixTest {
    private static final Path PRINTED = Path.of("..", "docs", "access.md");
    private static final String READ_TOKEN = "a-compat-read-token";
    private static final String WRITE_TOKEN = "a-compat-write-token";

    private TestProvider provider;
    private TestServer server;
    private Fleet fleet;
    private final Map<Principal, TestClient> clients = new EnumMap<>(Principal.class);
    private final Map<String, String> specs = new HashMap<>();
    private final Map<String, String> tokens = new HashMap<>();
    private final Map<String, Long> revisions = new HashMap<>();
    private final Map<String, Long> touched = new HashMap<>();

    @BeforeAll
    void build(@TempDir Path folder) {
        provider = new TestProvider();
        server = TestServer.in(
                folder,
                Map.of(
                        "--oidc-issuer",
                        provider.issuer(),
                        "--oidc-client-id",
                        "homeport",
                        "--oidc-audience",
                        TestProvider.AUDIENCE,
                        "--admin-url",
                        "http://127.0.0.1:8080",
                        "--mode",
                        "crud",
                        "--auth-token",
                        READ_TOKEN,
                        "--crud-auth-token",
                        WRITE_TOKEN,
                        "--poll-rate",
                        "0"));
        fleet = new Fleet(server);
        // Without a format of their own, so that deleting them changes no answer of the clusters that are frozen below.
        fleet.patch("/api/v2/settings/fleet", "{\"role_allow_list\": [\"view\"], \"answer_format\": null}")
                .expect(200);
        fleet.create(
                        "types",
                        "widget",
                        "{\"plural\": \"widgets\", \"schema\": {\"type\": \"object\","
                                + " \"properties\": {\"description\": {\"type\": \"string\"}}}}")
                .expect(201);
        fleet.create("cluster-templates", "shared", "{}").expect(201);
        fleet.create("widgets", "shared", "{}").expect(201);
        fleet.create("namespaces", "shared", "{}").expect(201);
        fleet.component("shared");
        fleet.create(
                        "rolebindings",
                        "shared",
                        "{\"role\": \"view\", \"namespace\": \"shared\","
                                + " \"subjects\": [{\"kind\": \"Group\", \"name\": \"team\"}]}")
                .expect(201);
        fleet.create("access-roles", "shared", "{\"permissions\": [{\"verbs\": [\"read\"], \"types\": [\"cluster\"]}]}")
                .expect(201);
        fleet.create(
                        "probes",
                        "shared",
                        "{\"object\": {\"api_version\": \"v1\", \"kind\": \"Node\", \"name\": \"a\"},"
                                + " \"expression\": \"true\"}")
                .expect(201);
        for (String side : List.of("own", "foreign")) {
            fleet.create("workspaces", side, "{\"service_account\": \"sa\"}").expect(201);
            fleet.cluster(side, "dev", "{\"workspace\": \"" + side + "\"}");
            fleet.cluster(side + "-frozen", "dev", "{\"workspace\": \"" + side + "\"}");
            fleet.create("freezes", side, "{\"scope\": {\"cluster\": \"" + side + "-frozen\"}, \"reason\": \"a test\"}")
                    .expect(201);
            fleet.create(
                            "access-grants",
                            side,
                            "{\"subject\": \"group:guests\", \"role\": \"viewer\", \"scope\": {\"workspace\": \"" + side
                                    + "\"}}")
                    .expect(201);
            JsonNode token = fleet.admin
                    .post("/api/v2/tokens", "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"" + side + "\"}}")
                    .expect(201)
                    .json();
            tokens.put(side, token.path("id").asString(""));
            tokens.put(side + ":text", token.path("token").asString(""));
        }
        touchAll();
        principals();
    }

    /** A second version of everything, so that there is one to go back from. */
    private void touchAll() {
        for (String type : AccessRules.TYPES.keySet()) {
            for (Which which : List.of(Which.OWN, Which.FOREIGN)) {
                Optional<String> id = AccessRules.id(type, which);
                if (id.isPresent() && !type.equals("token")) {
                    String path = "/api/v2/" + AccessRules.TYPES.get(type) + "/" + id.get();
                    JsonNode before = fleet.admin.get(path).expect(200).json();
                    revisions.put(path, before.at("/meta/revision").longValue());
                    fleet.patch(path, "{\"" + AccessRules.field(type) + "\":\"second\"}")
                            .expect(200);
                    JsonNode after = fleet.admin.get(path).expect(200).json();
                    touched.put(path, after.at("/meta/revision").longValue());
                    specs.put(path, after.at("/spec").toString());
                }
            }
        }
    }

    private void principals() {
        clients.put(Principal.NONE, server.admin(""));
        clients.put(Principal.CLUSTER, server.admin(tokens.get("own:text")));
        clients.put(Principal.JOIN, server.admin(fleet.token("{\"kind\":\"join\",\"subject\":\"own-frozen\"}")));
        clients.put(Principal.COMPAT_READER, server.admin(READ_TOKEN));
        clients.put(Principal.COMPAT_WRITER, server.admin(WRITE_TOKEN));
        clients.put(Principal.UNGRANTED, person("ungranted"));
        clients.put(
                Principal.READER,
                server.admin(fleet.token("{\"kind\":\"service\",\"subject\":\"reader\",\"access\":\"reader\"}")));
        clients.put(Principal.ADMIN, fleet.admin);
        for (Principal principal : Principal.values()) {
            if (principal == Principal.MEMBER) {
                fleet.create(
                                "access-grants",
                                "of-members",
                                "{\"subject\":\"group:members\",\"role\":\"" + principal.role() + "\",\"scope\":"
                                        + principal.scope() + "}")
                        .expect(201);
                clients.put(principal, server.admin(provider.token("member", "members")));
            } else if (!principal.role().isEmpty()) {
                String name = principal.name().toLowerCase(Locale.ROOT).replace('_', '-');
                fleet.create(
                                "access-grants",
                                "of-" + name,
                                "{\"subject\":\"person:" + name + "\",\"role\":\"" + principal.role() + "\",\"scope\":"
                                        + principal.scope() + "}")
                        .expect(201);
                clients.put(principal, person(name));
            }
        }
    }

    private TestClient person(String name) {
        return server.admin(fleet.token("{\"kind\":\"person\",\"subject\":\"" + name + "\"}"));
    }

    @AfterAll
    void stop() {
        server.close();
        provider.close();
    }

    private record Operation(String method, String path, String id) {
        /** The operation's name without the type, and the type. */
        String base() {
            int end = id.indexOf('_');
            return id.startsWith("root_") || id.startsWith("poll_") || end < 0 ? id : id.substring(0, end);
        }

        String type() {
            int end = id.indexOf('_');
            return id.startsWith("root_") || id.startsWith("poll_") || end < 0 ? "" : id.substring(end + 1);
        }
    }

    private List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        fleet.admin
                .get("/openapi.json")
                .expect(200)
                .json()
                .path("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, json) -> all.add(new Operation(
                        method.toUpperCase(Locale.ROOT),
                        path,
                        json.path("operationId").asString("")))));
        return all;
    }

    @Test
    void everyCellIsAsTheRulesSay() throws IOException {
        Map<String, Map<Principal, String>> rows = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations()) {
            AccessRules.Rule rule = AccessRules.rule(operation.base(), operation.type(), operation.path())
                    .orElse(null);
            if (rule == null) {
                wrong.add(operation.method() + " " + operation.path() + " (" + operation.id() + ") has no rule");
                continue;
            }
            Map<Principal, String> row = new EnumMap<>(Principal.class);
            for (Principal principal : Principal.values()) {
                List<String> cells = new ArrayList<>();
                for (Which which : rule.objects()) {
                    int expected = rule.expected(principal, which);
                    int seen = ask(operation, rule, clients.get(principal), which);
                    cells.add(Integer.toString(expected));
                    if (seen != expected) {
                        wrong.add(operation.id() + " by " + principal + " on " + which + ": " + seen + " instead of "
                                + expected);
                    }
                }
                row.put(principal, String.join(" ", cells));
            }
            rows.put(operation.method() + " " + operation.path(), row);
        }
        String page = AccessPage.of(rows);
        Files.writeString(Path.of("target", "access.md"), page);
        assertThat(wrong).isEmpty();
        assertThat(Files.exists(PRINTED) ? Files.readString(PRINTED) : "")
                .as("docs/access.md is not current: copy server/target/access.md there")
                .isEqualTo(page);
    }

    private int ask(Operation operation, AccessRules.Rule rule, TestClient client, Which which) {
        String id = rule.id(which, tokens);
        String path =
                operation.path().replace("{code}", "stale").replace("{id}", id).replace("{dns}", Fleet.dns(id));
        path = path.replace("{type}", "namespaces").replace("{revision}", revision(which));
        String method = operation.id().equals("stream") ? "HEAD" : operation.method();
        if (rule.dry()) {
            path += "?dry_run=true";
            path += operation.base().equals("restoreDocument")
                    ? "&revision=" + revisions.getOrDefault(documentPath(operation, id), 1L)
                    : "";
        }
        if (operation.base().equals("exportGit")) {
            path += "?repository=https://git.example.com/fleet.git";
        }
        Map<String, String> headers = new LinkedHashMap<>(Map.of("If-Match", "*"));
        if (operation.base().equals("patchDocument")) {
            headers.put("Content-Type", "application/merge-patch+json");
        }
        int status =
                client.send(method, path, body(operation, which, id), headers).status();
        return status == 429 ? 401 : status;
    }

    private String revision(Which which) {
        return switch (which) {
            case OWN, NONE -> Long.toString(touched.get("/api/v2/clusters/own"));
            case FOREIGN -> Long.toString(touched.get("/api/v2/clusters/foreign"));
            case ABSENT -> "999999";
        };
    }

    private static String documentPath(Operation operation, String id) {
        return "/api/v2/" + AccessRules.TYPES.get(operation.type()) + "/" + id;
    }

    private String body(Operation operation, Which which, String id) {
        String type = operation.type();
        return switch (operation.base()) {
            case "createDocument" -> AccessRules.creation(type, which);
            case "replaceDocument" -> {
                ObjectNode spec = StrictJson.read(specs.getOrDefault(documentPath(operation, id), "{}"));
                spec.put(AccessRules.field(type), "third");
                yield "{\"spec\":" + spec + "}";
            }
            case "patchDocument" -> "{\"spec\":{\"" + AccessRules.field(type) + "\":\"third\"}}";
            case "createChange" ->
                "{\"operations\":[{\"op\":\"patch\",\"type\":\"cluster\",\"id\":\"" + id
                        + "\",\"patch\":{\"description\":\"third\"}}]}";
            case "importFleet" -> {
                ObjectNode spec = StrictJson.read(
                        specs.getOrDefault("/api/v2/clusters/" + id, Fleet.clusterSpec(id, "dev", "{}")));
                spec.put("description", "third");
                yield "{\"homeport_export\":1,\"documents\":[{\"type\":\"cluster\",\"id\":\"" + id + "\",\"spec\":"
                        + spec + "}]}";
            }
            case "createToken" -> "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"" + id + "\"}}";
            case "bootstrapCluster" -> "{\"url\":\"https://homeport.example.com\",\"replace\":true}";
            case "bootstrapClusters" ->
                "{\"clusters\":[\"" + id + "\"],\"url\":\"https://homeport.example.com\",\"replace\":true}";
            case "cloneCluster" -> "{\"id\":\"copy\",\"cluster_dns\":\"copy.example.com\"}";
            case "canI" -> "{\"verb\":\"update\",\"type\":\"cluster\",\"id\":\"" + id + "\"}";
            default -> operation.id().startsWith("root_") ? AccessRules.rootBody(operation.id()) : "";
        };
    }
}
