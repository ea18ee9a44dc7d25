package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.EventSignature;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.server.storage.MasterKeyFile;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What people do with the command line, against a real server. */
class CliStoryTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(folder).signedIn();
        cli.run(
                        "catalog",
                        "add",
                        "grafana",
                        "--path",
                        "obs/grafana/17.0.0",
                        "--oci-tag",
                        "v1.0.0",
                        "--oci-url",
                        "oci://r.example.com/p")
                .ok();
        cli.run("catalog", "add", "cert-manager", "--path", "core/cert-manager/1.16.2", "--oci-tag", "v1.0.0")
                .ok();
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private JsonNode json(String... words) {
        return JsonMapper.shared().readTree(cli.run(words).ok().out());
    }

    private void fleet(int size) throws Exception {
        String rows = IntStream.range(0, size)
                .mapToObj(n -> "edge-%03d,dev,team-edge,region=%s".formatted(n, n % 2 == 0 ? "eu" : "us"))
                .collect(Collectors.joining("\n"));
        Path file = Files.writeString(folder.resolve("fleet.csv"), "name,env,owner,labels\n" + rows + "\n");
        cli.run("adopt", "-f", file.toString()).ok();
    }

    @Test
    void aTableOfClustersIsAdoptedWholeOrNotAtAll() throws Exception {
        Path bad = Files.writeString(
                folder.resolve("bad.csv"), "name,env,owner\na-1,dev,team-a\na-2,nowhere,team-a\nB_3,dev,team-a\n");
        Cli.Ran refused = cli.run("adopt", "-f", bad.toString()).fails(1);
        assertThat(refused.err()).contains(bad + ":4");
        assertThat(cli.run("get", "clusters", "-o", "name").ok().out()).isEmpty();
        assertThat(cli.run("adopt", "-f", folder.resolve("none.csv").toString())
                        .fails(2)
                        .err())
                .contains("there is no file");
        Path good = Files.writeString(
                folder.resolve("good.csv"),
                String.join(
                        "\r\n",
                        "\uFEFFName,Env,owner,label.region,labels,description",
                        "a-1,dev,team-a,eu,\"tier=1;x=y\",\"says \"\"hi\"\", twice\"",
                        "",
                        "a-2,,,,,",
                        ""));
        assertThat(cli.run("adopt", "-f", good.toString(), "--env", "qa", "--owner", "team-b", "--dry-run")
                        .ok()
                        .out())
                .contains("2 documents", "nothing was changed");
        assertThat(cli.run("get", "clusters", "-o", "name").ok().out()).isEmpty();
        cli.run("adopt", "-f", good.toString(), "--env", "qa", "--owner", "team-b")
                .ok();
        JsonNode first = json("get", "cluster", "a-1", "-o", "json").path("spec");
        assertThat(first.path("labels").toString()).isEqualTo("{\"region\":\"eu\",\"tier\":\"1\",\"x\":\"y\"}");
        assertThat(first.path("description").asString()).isEqualTo("says \"hi\", twice");
        assertThat(json("get", "cluster", "a-2", "-o", "json")
                        .path("spec")
                        .path("environment")
                        .asString())
                .isEqualTo("qa");
    }

    @Test
    void manyClustersAreConfirmedByTypingTheirNumber() throws Exception {
        fleet(30);
        Cli.Ran refused = cli.run("assign", "grafana", "-l", "env=dev").fails(2);
        assertThat(refused.err()).contains("30 clusters are more than 25", "--yes");
        assertThat(cli.atTerminal("29\n", "assign", "grafana", "-l", "env=dev")
                        .fails(1)
                        .err())
                .contains("Type 30 to go on", "nothing was changed");
        assertThat(cli.atTerminal("", "assign", "grafana", "-l", "env=dev").exit())
                .isEqualTo(1);
        assertThat(cli.atTerminal("30\n", "assign", "grafana", "-l", "env=dev", "--no-input")
                        .exit())
                .isEqualTo(2);
        cli.atTerminal("30\n", "assign", "grafana", "-l", "env=dev").ok();
        assertThat(cli.run("get", "clusters", "--filter", "platform_components.id=grafana", "-o", "name")
                        .out()
                        .lines())
                .hasSize(30);
        assertThat(cli.run("unassign", "grafana", "-l", "region=eu").fails(2).err())
                .contains("the plan asks for a confirmation");
        cli.run("unassign", "grafana", "-l", "region=eu", "--yes").ok();
        cli.variables.put("HOMEPORT_CONFIRM_OVER", "100");
        cli.run("assign", "cert-manager", "-A").ok();
    }

    @Test
    void nothingIsMeantWhenNothingIsSaid() throws Exception {
        fleet(2);
        for (String[] words : new String[][] {
            {"assign", "grafana"}, {"label", "clusters", "a=b"}, {"delete", "clusters"}, {"pause"}, {"unpin", "grafana"}
        }) {
            assertThat(cli.run(words).fails(2).err()).contains("say which clusters");
        }
        cli.run("context", "set", "127.0.0.1", "workspace=payments").ok();
        assertThat(cli.run("assign", "grafana").fails(2).err()).contains("say which clusters");
    }

    @Test
    void aPinKeepsWhatAClusterAssignsAndGivesNobodyWhatHeHasNot() throws Exception {
        fleet(3);
        cli.run("assign", "grafana", "--cluster", "edge-000").ok();
        cli.run("pin", "grafana", "--oci-tag", "v1.1.0", "-l", "env=dev", "--ttl", "7d", "--reason", "canary")
                .ok();
        assertThat(cli.run("payload", "edge-000").ok().out()).contains("v1.1.0");
        assertThat(cli.run("payload", "edge-001").ok().out()).doesNotContain("grafana");
        assertThat(cli.run("explain", "cluster/edge-000", "grafana", "--field", "oci_tag")
                        .ok()
                        .out())
                .contains("v1.1.0", "instead of", "v1.0.0", "canary");
        cli.run("unpin", "grafana", "-l", "env=dev").ok();
        assertThat(cli.run("payload", "edge-000").ok().out()).contains("v1.0.0");
        assertThat(json("get", "cluster", "edge-001", "-o", "json").path("spec").path("platform_components"))
                .isEmpty();
        assertThat(cli.run("unpin", "grafana", "-l", "env=dev").exit()).isEqualTo(1);
    }

    @Test
    void aVersionIsPromotedStepByStepAndSpentPinsGo() throws Exception {
        fleet(2);
        cli.run("adopt", "prod-1", "--env", "prod", "--owner", "team-p").ok();
        cli.run("assign", "grafana", "-A", "--yes").ok();
        cli.run("pin", "grafana", "--path", "obs/grafana/17.1.0", "--oci-tag", "v1.1.0", "-l", "env=dev")
                .ok();
        cli.run("promote", "grafana", "17.1.0", "--from", "dev", "--to", "qa").ok();
        assertThat(cli.run("get", "env", "qa", "-o", "yaml").ok().out())
                .contains("obs/grafana/17.1.0", "assign: false");
        assertThat(cli.run("payload", "prod-1").out()).contains("obs/grafana/17.0.0");
        assertThat(cli.run("promote", "grafana", "17.1.0", "--from", "dev", "--to", "qa,uat,prod")
                        .fails(2)
                        .err())
                .contains("a protected cluster changes");
        cli.run("promote", "grafana", "17.1.0", "--from", "dev", "--to", "qa,uat,prod", "--yes")
                .ok();
        assertThat(cli.run("payload", "prod-1").out()).contains("obs/grafana/17.1.0", "v1.1.0");
        assertThat(cli.run("payload", "edge-000").out()).contains("obs/grafana/17.1.0", "v1.1.0");
        assertThat(cli.run("get", "clusters", "-o", "yaml").out()).doesNotContain("v1.1.0");
        assertThat(cli.run("get", "env", "-o", "yaml").out()).doesNotContain("17.1.0");
        assertThat(cli.run("promote", "grafana", "99", "--from", "dev", "--to", "qa")
                        .fails(1)
                        .err())
                .contains("neither the catalog's versions nor dev");
    }

    @Test
    void aFolderIsComparedAppliedAndPrunedAtOnce() throws Exception {
        fleet(2);
        Path files = Files.createDirectories(folder.resolve("fleet"));
        Files.writeString(
                files.resolve("clusters.yaml"),
                cli.run("get", "clusters", "-o", "yaml").out());
        assertThat(cli.run("diff", "-f", files.toString()).ok().out()).isEmpty();
        cli.run("adopt", "edge-new", "--env", "dev", "--owner", "team-x").ok();
        assertThat(cli.run("diff", "-f", files.toString(), "--prune").fails(1).out())
                .isEqualTo("- cluster/edge-new\n");
        cli.run("apply", "-f", files.toString(), "--prune=false").ok();
        assertThat(cli.run("apply", "-f", files.toString(), "--prune").fails(2).err())
                .contains("edge-new", "--yes");
        assertThat(cli.atTerminal("7\n", "apply", "-f", files.toString(), "--prune")
                        .fails(1)
                        .err())
                .contains("Type 1 to remove them");
        // How many was said; the plan, which names the cluster, is confirmed as well.
        assertThat(cli.atTerminal("1\n", "apply", "-f", files.toString(), "--prune")
                        .fails(1)
                        .err())
                .contains("the plan asks for a confirmation", "nothing was changed");
        cli.atTerminal("1\nyes\n", "apply", "-f", files.toString(), "--prune").ok();
        assertThat(cli.run("get", "clusters", "-o", "name").out()).doesNotContain("edge-new");
        Path changed = Files.writeString(
                files.resolve("more.yaml"), "type: cluster\nid: edge-9\nspec: {cluster_name: edge-9}\n");
        assertThat(cli.run("apply", "-f", files.toString()).fails(1).err()).contains(changed + ", document 1");
        Files.writeString(changed, "type: cluster\nid: edge-000\nspec: {}\n");
        assertThat(cli.run("apply", "-f", files.toString()).fails(2).err()).contains("is there twice");
        Files.writeString(changed, "][");
        assertThat(cli.run("diff", "-f", files.toString()).fails(2).err()).contains("cannot be read as YAML or JSON");
    }

    @Test
    void everyFormPrintsTheSameDocuments() throws Exception {
        fleet(2);
        cli.run("label", "clusters", "-A", "note=x").ok();
        assertThat(cli.run("get", "cl").ok().out().lines().findFirst().orElseThrow())
                .startsWith("NAME")
                .endsWith("AGE");
        assertThat(cli.run("get", "cl", "--no-headers").out().lines()).hasSize(2);
        assertThat(cli.run("get", "cl", "-o", "name").out()).isEqualTo("cluster/edge-000\ncluster/edge-001\n");
        assertThat(json("get", "cl", "-o", "json")).hasSize(2);
        assertThat(cli.run("get", "cl", "-o", "jsonl").out().lines()).hasSize(2);
        assertThat(cli.run("get", "cl", "-o", "csv", "--columns", "name,labels.region,owner")
                        .out())
                .isEqualTo("NAME,LABELS.REGION,OWNER\r\nedge-000,eu,team-edge\r\nedge-001,us,team-edge\r\n");
        assertThat(cli.run("get", "cl", "-o", "md", "--columns", "name,env").out())
                .isEqualTo("| NAME | ENV |\n| --- | --- |\n| edge-000 | dev |\n| edge-001 | dev |\n");
        assertThat(cli.run("get", "cl", "--jq", "[.[].spec.labels.region] | join(\",\")")
                        .out())
                .isEqualTo("eu,us\n");
        assertThat(cli.run("get", "cl", "--jq", ".[").fails(2).err()).contains("jq program");
        assertThat(cli.run("get", "cl", "-o", "xml").exit()).isEqualTo(2);
        Cli.Ran yaml = cli.run("get", "cl", "-o", "yaml").ok();
        assertThat(cli.typing(yaml.out(), "apply", "-f", "-").ok().out()).contains("unchanged");
        assertThat(cli.run("get", "cl", "--facets", "labels.region").ok().out()).contains("eu", "us", "total  2");
    }

    @Test
    void coloursOnlyWhereTheyAreWanted() throws Exception {
        fleet(1);
        String escape = "\u001b[";
        assertThat(cli.run("get", "clusters").out()).doesNotContain(escape);
        assertThat(cli.atTerminal("", "get", "clusters").out()).contains(escape);
        cli.variables.put("TERM", "dumb");
        assertThat(cli.atTerminal("", "get", "clusters").out()).doesNotContain(escape);
        cli.variables.remove("TERM");
        cli.variables.put("CLICOLOR_FORCE", "1");
        assertThat(cli.run("get", "clusters").out()).contains(escape);
        cli.variables.put("NO_COLOR", "1");
        assertThat(cli.atTerminal("", "get", "clusters").out()).doesNotContain(escape);
    }

    @Test
    void whoeverWasSlowerIsToldSo() throws Exception {
        fleet(1);
        String etag = "\"1-"
                + json("get", "cluster", "edge-000", "-o", "json").path("meta").path("revision") + "\"";
        cli.run("patch", "cluster/edge-000", "-p", "{owner: team-b}", "--if-match", etag)
                .ok();
        assertThat(cli.run("patch", "cluster/edge-000", "-p", "{owner: team-c}", "--if-match", etag)
                        .fails(3)
                        .err())
                .contains("next:");
        assertThat(cli.run("delete", "cluster/edge-000", "--if-match", etag).exit())
                .isEqualTo(3);
        // The editor takes longer than another user's change.
        Path editor = Files.writeString(
                folder.resolve("editor"), "sed -i s/team-b/team-d/ \"$1\"; sed -i s/team-d/team-e/ \"$1\"\n");
        cli.variables.put("EDITOR", "sh " + editor);
        cli.run("edit", "cluster", "edge-000").ok();
        assertThat(json("get", "cluster", "edge-000", "-o", "json")
                        .path("spec")
                        .path("owner")
                        .asString())
                .isEqualTo("team-e");
        cli.variables.put("EDITOR", "true");
        assertThat(cli.run("edit", "cluster", "edge-000").ok().err()).contains("nothing was changed");
    }

    @Test
    void secretsStayWhereTheyBelong() throws Exception {
        String token = cli.server.firstToken().orElseThrow();
        Path config = folder.resolve("config/homeport/config.yaml");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config)))
                .isEqualTo("rw-------");
        for (String[] words : new String[][] {
            {"context", "list"},
            {"get", "clusters", "-v"},
            {"whoami", "-v"},
            {"doctor", "-v"},
            {"get", "tokens", "-o", "yaml"}
        }) {
            Cli.Ran ran = cli.run(words);
            assertThat(ran.out() + ran.err()).doesNotContain(token);
        }
        assertThat(cli.run("context", "set", "127.0.0.1", "token=x").fails(2).err())
                .contains("never comes by flag");
        // Another address is another server: it gets no token, although a context is current.
        String other = cli.address().replace("127.0.0.1", "localhost");
        assertThat(cli.run("get", "clusters", "--server", other).exit()).isEqualTo(4);
        cli.variables.put("HOMEPORT_TOKEN", token.substring(0, token.length() - 8) + "AAAAAAAA");
        assertThat(cli.run("get", "clusters").fails(4).err()).contains("homeport login");
        cli.variables.remove("HOMEPORT_TOKEN");
        cli.run("logout").ok();
        assertThat(Files.readString(config)).doesNotContain(token);
        assertThat(cli.run("get", "clusters").exit()).isEqualTo(4);
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(cli.run("doctor").out()).contains("can be read by others");
    }

    @Test
    void aFreezeRefusesAndAHotfixPasses() throws Exception {
        fleet(2);
        cli.run("assign", "grafana", "-A").ok();
        cli.run("freeze", "stop", "--env", "dev", "--until", "24h", "--reason", "year end")
                .ok();
        assertThat(cli.run("pin", "grafana", "--oci-tag", "v2", "-A").fails(5).err())
                .contains("year end", "next:");
        assertThat(cli.run("hotfix", "grafana", "--oci-tag", "v2").fails(2).err())
                .contains("needs a --reason");
        cli.run("hotfix", "grafana", "--oci-tag", "v2", "--affected-by", "CVE-1", "--reason", "INC-7")
                .ok();
        assertThat(cli.run("audit", "--limit", "1", "-o", "md").out()).contains("CVE-1 INC-7", "hotfix=true");
        assertThat(cli.run("audit", "--refused").ok().out()).contains("frozen");
    }

    @Test
    void waitingEndsWithThePollOrWithTheTime() throws Exception {
        fleet(1);
        assertThat(cli.run("assign", "grafana", "-A", "--wait", "--timeout", "1s")
                        .fails(6)
                        .err())
                .contains("edge-000");
        String token =
                cli.run("token", "create", "--cluster", "edge-000").ok().out().strip();
        Thread cluster = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 20 && Pause.seconds(1); i++) {
                poll(token);
            }
        });
        assertThat(cli.run("unassign", "grafana", "-A", "--yes", "--wait", "--timeout", "30s")
                        .ok()
                        .err())
                .contains("the cluster has polled, and reports nothing");
        cluster.interrupt();
        // Lists show states as they were a moment ago.
        String list = "";
        for (int i = 0; i < 40; i++) {
            list = cli.run("get", "clusters", "--columns", "name,state,last-poll,next-poll")
                    .out();
            if (!list.contains("new") || !Pause.of(Duration.ofMillis(250))) {
                break;
            }
        }
        assertThat(list).contains("STATE", "in ").doesNotContain("new");
    }

    @Test
    void waitingGoesOnUntilTheClusterReportsThatItRuns() throws Exception {
        fleet(1);
        String token =
                cli.run("token", "create", "--cluster", "edge-000").ok().out().strip();
        long made = json("get", "cluster", "edge-000", "-o", "json")
                .path("meta")
                .path("revision")
                .asLong();
        String key = MasterKeyFile.in(folder.resolve("data")).read().eventKey("edge-000", made);
        cli.run("assign", "grafana", "-A").ok();
        report(key, "v1.0.0", poll(token), "ReconciliationSucceeded");
        AtomicBoolean well = new AtomicBoolean();
        Thread cluster = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 100 && Pause.of(Duration.ofMillis(500)); i++) {
                String digest = poll(token);
                // Who waits may know of a report before its sender is answered.
                well.set(cli.saying().contains("0 well, 1 failing"));
                report(key, "v2.0.0", digest, well.get() ? "ReconciliationSucceeded" : "ReconciliationFailed");
            }
        });
        Cli.Ran waited =
                cli.run("hotfix", "grafana", "--oci-tag", "v2.0.0", "--reason", "r", "--wait", "--timeout", "60s");
        waited.ok();
        assertThat(well).as("it did not end with the poll").isTrue();
        assertThat(waited.err())
                .contains(
                        "1 of 1 cluster polled, 0 well, 1 failing",
                        "the cluster has polled and reports that all is well");
        cluster.interrupt();
        cluster.join();
        report(key, "v2.0.0", poll(token), "ReconciliationFailed");
        String told = "";
        for (int i = 0; i < 100 && !told.contains("finished in 120ms") && Pause.of(Duration.ofMillis(50)); i++) {
            told = cli.run("delivery", "edge-000").ok().out();
        }
        assertThat(told.lines()).as("a pipe has no edge").anyMatch(line -> line.length() > 80);
        assertThat(told)
                .contains("not_reporting  namespaces, platform-components, rolebindings")
                .containsPattern("(?m)^namespaces .* not reporting$");
        setFailed(key, "namespaces", "this list is not whole");
        for (int i = 0; i < 100 && !told.contains("is not whole") && Pause.of(Duration.ofMillis(50)); i++) {
            told = cli.run("delivery", "edge-000").ok().out();
        }
        assertThat(told)
                .doesNotContain("not_reporting")
                .containsPattern("(?m)^TYPE .* FAILURE$")
                .containsPattern("(?m)^namespaces .* this list is not whole$")
                .containsPattern("(?m)^rolebindings .* -$");
        assertThat(cli.run("payload", "edge-000", "--resource", "types").ok().out())
                .contains("\"type\":\"types\"", "service_account");
        assertThat(cli.atTerminal("", "delivery", "edge-000").ok().out().lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.startsWith("grafana  v2.0.0"));
    }

    private void setFailed(String key, String type, String message) {
        post(key, """
                {"involvedObject": {"kind": "ResourceSet", "namespace": "flux-system", "name": "homeport-%s",
                 "resourceVersion": "1"}, "severity": "error", "timestamp": "%s", "reason": "BuildFailed",
                 "message": "%s", "reportingController": "flux-operator", "metadata": {"answer_type": "%s"}}
                """.formatted(type, Instant.now().truncatedTo(ChronoUnit.SECONDS), message, type));
    }

    private void report(String key, String tag, String digest, String reason) {
        post(key, """
                {"involvedObject": {"kind": "Kustomization", "namespace": "flux-system", "name": "c-grafana",
                 "resourceVersion": "%d"}, "severity": "%s", "timestamp": "%s", "reason": "%s",
                 "message": "Reconciliation finished in 120ms, next run in 10m0s",
                 "reportingController": "c",
                 "metadata": {"component_id": "grafana", "revision": "%s@sha256:abc", "answer_digest": "%s"}}
                """.formatted(
                        System.nanoTime(),
                        reason.endsWith("Failed") ? "error" : "info",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        reason,
                        tag,
                        digest));
    }

    private void post(String key, String event) {
        byte[] body = event.getBytes(StandardCharsets.UTF_8);
        try {
            HttpURLConnection connection = connect("/events");
            connection.setRequestProperty("X-Signature", EventSignature.of(key, body));
            connection.setDoOutput(true);
            connection.getOutputStream().write(body);
            assertThat(connection.getResponseCode()).isEqualTo(202);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private HttpURLConnection connect(String path) throws java.io.IOException {
        return (HttpURLConnection)
                URI.create("http://" + cli.server.poll().orElseThrow() + "/api/v2/flux/clusters/edge-000" + path)
                        .toURL()
                        .openConnection();
    }

    /** Gives the answer's digest. */
    private String poll(String token) {
        try {
            String digest = "";
            for (String type : List.of("namespaces", "rolebindings", "platform-components")) {
                HttpURLConnection connection = connect("/sets/" + type);
                connection.setRequestProperty("Authorization", "Bearer " + token);
                assertThat(connection.getResponseCode()).isEqualTo(200);
                digest = JsonMapper.shared()
                        .readTree(connection.getInputStream())
                        .at("/inputs/0/digest")
                        .asString();
            }
            return digest;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void badNamesGetAnAnswerAndNoStackTrace() {
        for (String name :
                new String[] {"..", "a/b", "%2e%2e", "a b", "ä", "x?y=z", "x#y", "\u001b[31m", "-", "a".repeat(3000)}) {
            Cli.Ran ran = cli.run("get", "cluster", "--", name);
            assertThat(ran.exit()).as(name + ran.err()).isIn(1, 2);
            assertThat(ran.err()).contains("error:").doesNotContain("\tat ", "Exception", "\u001b[31m");
        }
        assertThat(cli.run("get", "clusters", "--filter", "((").exit()).isEqualTo(1);
        assertThat(cli.run("get", "clusters", "-l", "a b c").exit()).isEqualTo(1);
        assertThat(cli.run("api", "GET", "/api/v2/me").ok().out()).contains("actor");
        assertThat(cli.run("api", "GET", "/a b").exit()).isEqualTo(2);
        assertThat(cli.run("login", "not-a-url").fails(2).err()).contains("https://");
        assertThat(cli.run("nonsense").exit()).isEqualTo(2);
        assertThat(cli.run("get").exit()).isEqualTo(2);
        assertThat(cli.run("--help").ok().out()).contains("adopt", "audit");
        assertThat(cli.run("get", "--help").ok().out()).contains("--watch");
    }

    @Test
    void typesOfOnesOwnAreReachedByTheirNames() {
        cli.typing("""
                        type: type
                        id: dns_zone
                        spec:
                          id: dns_zone
                          plural: dns-zones
                          schema:
                            type: object
                            properties:
                              id: {type: string}
                              domain: {type: string}
                            additionalProperties: false
                        """, "apply", "-f", "-").ok();
        cli.typing("type: dns_zone\nid: main\nspec: {domain: example.com}\n", "create", "-f", "-")
                .ok();
        for (String word : new String[] {"dns_zone", "dns-zones", "dns-zone"}) {
            assertThat(cli.run("get", word, "-o", "name").ok().out()).isEqualTo("dns_zone/main\n");
        }
        cli.run("adopt", "c-1", "--env", "dev", "--owner", "o").ok();
        cli.run("assign", "dns-zone/main", "--cluster", "c-1").ok();
        assertThat(cli.run("payload", "c-1", "--resource", "dns-zones").ok().out())
                .contains("example.com");
        assertThat(Map.of("exit", cli.run("get", "nonsense").exit())).containsEntry("exit", 2);
    }
}
