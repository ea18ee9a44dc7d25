package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever the API can do, a command does. The commands are run, and what they asked is held against the OpenAPI document. */
@OutsideIn
class EveryOperationTest {
    /** Not for people: each with the reason. */
    private static final List<Pattern> OTHERS = List.of(
            // asked by clusters, with their own tokens; homeport payload shows the same bytes
            Pattern.compile("poll_.*"),
            Pattern.compile("post_event"),
            // the same as ready, which homeport doctor asks, by the name that Kubernetes uses
            Pattern.compile("readyz"),
            // where the type of a problem leads; the command line prints what it means at once
            Pattern.compile("explainProblem"),
            // a browser's way to the identity provider and back, and out; homeport login goes by another
            Pattern.compile("login|loginCallback|logout"),
            // the paths of flux-resourceset, kept for its clients; the same documents are under /api/v2
            Pattern.compile("root_.*"));

    private static final Set<String> BUILT_IN = Set.of(
            "cluster",
            "platform_component",
            "namespace",
            "rolebinding",
            "workspace",
            "cluster_template",
            "environment",
            "type",
            "settings",
            "freeze",
            "token",
            "probe",
            "access_role",
            "access_grant");

    @TempDir
    Path folder;

    private Cli cli;

    private record Operation(String id, String method, Pattern path) {}

    @Test
    @Requirement("H4")
    void everyOperationHasACommand() throws Exception {
        String token;
        try (Cli before = new Cli(folder).signedIn()) {
            token = before.server.firstToken().orElseThrow();
            before.run("adopt", "eu-9", "--env", "dev", "--owner", "team-a").ok();
        }
        try (Cli running = Cli.withDamagedRecord(folder, "eu-9", token)) {
            cli = running;
            useEverything();
            Set<String> missing = new TreeSet<>();
            for (Operation operation : operations()) {
                boolean used = cli.requests().stream().anyMatch(request -> fits(operation, request));
                boolean meantForOthers = OTHERS.stream()
                        .anyMatch(other -> other.matcher(operation.id()).matches());
                if (!used && !meantForOthers) {
                    missing.add(operation.id());
                }
            }
            assertThat(missing)
                    .as("operations that no command of this test has used: add a command, and use it here")
                    .isEmpty();
        }
    }

    private static boolean fits(Operation operation, String request) {
        String[] parts = request.split(" ", -1);
        String path = parts[1].contains("?") ? parts[1].substring(0, parts[1].indexOf('?')) : parts[1];
        return parts[2].startsWith("2")
                && operation.method().equals(parts[0])
                && operation.path().matcher(path).matches();
    }

    /** Of operations that there are for each type, one type stands for all: the commands do not know types apart. */
    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        JsonNode document = JsonMapper.shared().readTree(cli.run("openapi").ok().out());
        document.path("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, operation) -> {
                    String id = operation.path("operationId").asString("");
                    String generic = path;
                    for (String type : BUILT_IN) {
                        if (id.endsWith("_" + type) && id.contains("Document_")
                                || id.endsWith("_" + type) && id.contains("s_")) {
                            generic = path.replaceFirst("^/api/v2/[a-z-]+", "/api/v2/{plural}");
                        }
                    }
                    operations.add(new Operation(
                            id,
                            method.toUpperCase(Locale.ROOT),
                            Pattern.compile(generic.replaceAll("\\{[a-z_]+}", "[^/:]+"))));
                }));
        assertThat(operations).hasSizeGreaterThan(60);
        return operations;
    }

    private void use(String... words) {
        useTyping("", words);
    }

    private void useTyping(String input, String... words) {
        List<String> verbose = new ArrayList<>(List.of(words));
        verbose.add("-v");
        cli.typing(input, verbose.toArray(String[]::new)).ok();
    }

    private void useEverything() throws Exception {
        use("repair", "eu-9", "--yes");
        use(
                "catalog",
                "add",
                "grafana",
                "--path",
                "obs/grafana/1.0",
                "--oci-tag",
                "v1",
                "--oci-url",
                "oci://r.example.com/p");
        use("adopt", "eu-1", "--env", "dev", "--owner", "team-a");
        use("clone", "eu-1", "eu-2");
        use("assign", "grafana", "--cluster", "eu-1");
        use("get", "clusters");
        use("get", "cluster", "eu-1");
        use("history", "cluster/eu-1");
        use("label", "cluster/eu-1", "a=b");
        use("patch", "cluster/eu-1", "-p", "{owner: team-b}");
        use("restore", "cluster/eu-1", "--revision", revision());
        Path script = Files.writeString(folder.resolve("editor"), "sed -i 's/team-b/team-c/' \"$1\"\n");
        cli.variables.put("EDITOR", "sh " + script);
        use("edit", "cluster/eu-1");
        use("explain", "eu-1");
        use("delivery", "eu-1");
        use("findings");
        useTyping(
                "type: probe\nid: asked\nspec:\n  object: {api_version: v1, kind: Node, name: a}\n  expression: 'true'\n",
                "apply",
                "-f",
                "-");
        use("probe", "asked");
        use("payload", "eu-1");
        cli.run("compare", "eu-1", "eu-2", "-v").fails(1);
        cli.run("compare", "eu-1", "-v").fails(1);
        cli.run("compare", "eu-1", "nowhere").fails(2);
        use("pause", "eu-1");
        use("resume", "eu-1", "--yes");
        use("decommission", "eu-2");
        use("undelete", "eu-2", "--yes");
        use("detach", "eu-2", "--yes");
        use("undelete", "eu-2", "--yes");
        use("decommission", "eu-2");
        use("purge", "eu-2");
        use("freeze", "stop", "--env", "prod", "--reason", "r");
        use("unfreeze", "stop");
        use("audit");
        use("audit", revision());
        use("label", "cluster/eu-1", "x=y");
        use("revert", revision());
        use("export");
        use("git-layout", folder.resolve("git").toString(), "--repository", "https://git.example.com/fleet.git");
        useTyping(cli.run("export").out().replace("team-c", "team-d"), "import", "-f", "-");
        use("types");
        // It asks how people sign in here; there is no identity provider.
        cli.typing("", "login", cli.address(), "--device", "-v").fails(2);
        use("whoami");
        use("logout", "--everywhere", "--subject", "person:signed-in-elsewhere");
        use("can-i", "update", "cluster/eu-1");
        use("doctor");
        use("metrics");
        use("openapi");
        use("openapi", "-o", "yaml");
        String token = JsonMapper.shared()
                .readTree(cli.run("token", "create", "--cluster", "eu-1", "-o", "json", "-v")
                        .ok()
                        .out())
                .path("id")
                .asString("");
        use("token", "create", "--cluster", "eu-1");
        use("token", "revoke", token);
        use(
                "token",
                "rotate",
                cli.run("get", "tokens", "--filter", "kind=cluster", "--jq", ".[0].id")
                        .out()
                        .strip());
        use("bootstrap", "eu-1", "--url", "https://homeport.example.com", "--replace");
        use("bootstrap", "-A", "--url", "https://homeport.example.com", "--replace", "--dry-run");
        use("adopt", "eu-3", "--env", "dev", "--owner", "team-a");
        cli.variables.put(
                "HOMEPORT_TOKEN",
                cli.run("token", "create", "--join", "eu-3", "--ttl", "1h")
                        .ok()
                        .out()
                        .strip());
        use("join");
        cli.variables.remove("HOMEPORT_TOKEN");
        // Everything since the last revision is sent again.
        use("events", "--from", "1-" + (Long.parseLong(revision()) - 1), "--count", "1");
    }

    private String revision() {
        return cli.run("audit", "--limit", "1", "--jq", ".[0].revision")
                .ok()
                .out()
                .strip();
    }
}
