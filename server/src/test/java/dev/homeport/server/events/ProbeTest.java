package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** People ask clusters about their objects, and see what each answered. */
@OutsideIn
class ProbeTest {
    private static final Pattern DIGEST = Pattern.compile("\\[kind, '([0-9a-f]+)'");

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static TestClient.Answer create(String id, String scope, String more) {
        return server.admin()
                .post(
                        "/api/v2/probes",
                        "{\"id\":\"" + id + "\",\"spec\":{\"object\":{\"api_version\":\"v1\",\"kind\":\"ConfigMap\","
                                + "\"name\":\"a\",\"namespace\":\"default\"},\"expression\":\"data.size() > 0\",\"scope\":"
                                + scope + more + "}}");
    }

    private static Flux talking(String cluster) {
        Flux flux = Flux.adopt(server, cluster, cluster + "-app");
        flux.poll();
        flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                .expect(202);
        return flux;
    }

    private static List<JsonNode> sets(Flux flux) {
        List<JsonNode> sets = new ArrayList<>();
        flux.witnesses().path("items").forEach(sets::add);
        return sets;
    }

    private static List<JsonNode> asking(Flux flux, String probe) {
        return sets(flux).stream()
                .filter(set -> set.at("/observe/0/question").asString("").equals("probe/" + probe))
                .toList();
    }

    /** What the operator would say of the set that asks. */
    private static ObjectNode answer(Flux flux, String probe, String type, String text) {
        Matcher digest = DIGEST.matcher(
                asking(flux, probe).getFirst().at("/observe/0/expression").asString(""));
        assertThat(digest.find()).isTrue();
        return event(
                flux,
                probe,
                "Retrying dependency check: failed to evaluate the CEL expression '…': no such key: hw1 probe/" + probe
                        + " " + encoded("ConfigMap", digest.group(1), type, text));
    }

    private static String encoded(String... fields) {
        return Base64.getEncoder().encodeToString(String.join("\n", fields).getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode event(Flux flux, String probe, String message) {
        ObjectNode event = flux.witness("probe/" + probe, message);
        ((ObjectNode) event.get("metadata"))
                .put(
                        "witness",
                        StrictJson.object().put("ConfigMap/a", "probe/" + probe).toString());
        return event;
    }

    private static JsonNode results(String probe) {
        return server.admin()
                .get("/api/v2/probes/" + probe + "/results")
                .expect(200)
                .json();
    }

    private static JsonNode result(String probe, String cluster) {
        return results(probe)
                .path("items")
                .valueStream()
                .filter(item -> item.path("cluster").asString("").equals(cluster))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonNode> findings(String cluster) {
        return server.admin()
                .get("/api/v2/findings?kind=probe_failed&cluster=" + cluster)
                .expect(200)
                .at("/items")
                .valueStream()
                .toList();
    }

    private static Instant later(int seconds) {
        return Instant.now().plusSeconds(seconds);
    }

    @Test
    void anAnswerIsShownWithItsSourceAndFailingIsAFinding() {
        Flux flux = talking("asked");
        create("filled", "{\"cluster\":\"asked\"}", ",\"title\":\"Is a filled?\",\"severity\":\"error\"")
                .expect(201);
        assertThat(result("filled", "asked").path("outcome").asString("")).isEqualTo("pending");
        assertThat(findings("asked")).isEmpty();
        JsonNode set = asking(flux, "filled").getFirst();
        assertThat(set.path("observe")).hasSize(1);
        assertThat(set.at("/observe/0/namespace").asString("")).isEqualTo("default");
        flux.post(answer(flux, "filled", "bool", "false")).expect(202);
        JsonNode failed = result("filled", "asked");
        assertThat(failed.path("outcome").asString("")).isEqualTo("failed");
        assertThat(failed.path("source").asString("")).isEqualTo("witness");
        assertThat(Instant.parse(failed.path("at").asString(""))).isBefore(later(2));
        JsonNode finding =
                Await.until(() -> findings("asked"), found -> found.size() == 1).getFirst();
        assertThat(finding.path("severity").asString("")).isEqualTo("error");
        assertThat(finding.path("detail").asString("")).contains("Is a filled?").contains("ConfigMap a");
        assertThat(server.admin()
                        .get("/api/v2/clusters/asked/delivery")
                        .expect(200)
                        .at("/probes/0/outcome")
                        .asString(""))
                .isEqualTo("failed");
        flux.post(Flux.at(answer(flux, "filled", "bool", "true"), later(2))).expect(202);
        assertThat(result("filled", "asked").path("outcome").asString("")).isEqualTo("passed");
        assertThat(results("filled").at("/counts/passed").asInt()).isEqualTo(1);
        Await.until(() -> findings("asked"), List::isEmpty);
    }

    private static JsonNode summary(String probe) {
        ObjectNode all = (ObjectNode) results(probe);
        all.remove("items");
        return all;
    }

    @Test
    void answersOfAllClustersAreSummedUp() {
        List<Flux> fleet = new ArrayList<>();
        for (String answer : List.of("7", "-1.5", "7", "none", "1e+07")) {
            Flux flux = talking("sum-" + fleet.size());
            fleet.add(flux);
            server.admin()
                    .send(
                            "PATCH",
                            "/api/v2/clusters/sum-" + (fleet.size() - 1),
                            "{\"spec\":{\"labels\":{\"sum\":\"yes\"}}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            if (fleet.size() == 1) {
                create("count", "{\"fleet\":true}", ",\"labels\":{\"sum\":\"yes\"}")
                        .expect(201);
            }
            flux.post(answer(flux, "count", "text", answer)).expect(202);
        }
        assertThat(summary("count")).isEqualTo(StrictJson.read("""
                {"probe": "count", "counts": {"answered": 5}, "silent": 0,
                 "numbers": {"clusters": 4, "sum": 10000012.5, "min": -1.5, "max": 10000000},
                 "answers": [{"answer": "7", "clusters": 2}, {"answer": "-1.5", "clusters": 1},
                             {"answer": "1e+07", "clusters": 1}, {"answer": "none", "clusters": 1}]}"""));

        fleet.getFirst().pollEvery("1s");
        JsonNode without = Await.until(
                () -> summary("count"), found -> found.path("silent").asInt() == 1);
        assertThat(without.path("counts")).isEqualTo(StrictJson.read("{\"answered\": 4}"));
        assertThat(without.path("numbers")).isEqualTo(StrictJson.read("""
                {"clusters": 3, "sum": 10000005.5, "min": -1.5, "max": 10000000}"""));
        assertThat(result("count", "sum-0").path("answer").asString(""))
                .as("it is listed all the same")
                .isEqualTo("7");
    }

    /** A set reports its first difference only, so what changes between two polls of the cluster is one report. */
    @Test
    void howeverOftenAnAnswerChangesTheClusterIsAskedByOneSet() {
        Flux flux = talking("restless");
        create("moving", "{\"cluster\":\"restless\"}", "").expect(201);
        ObjectNode first = answer(flux, "moving", "text", "0");
        String asked = asking(flux, "moving").getFirst().toString();
        List<ObjectNode> changes = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            changes.add(Flux.at(answer(flux, "moving", "text", Integer.toString(i)), later(i)));
        }
        assertThat(asking(flux, "moving"))
                .as("nothing was reported, so the set stays")
                .singleElement()
                .hasToString(asked);
        flux.post(first).expect(202);
        changes.forEach(change -> flux.post(change).expect(202));
        JsonNode after = asking(flux, "moving").getFirst();
        assertThat(asking(flux, "moving")).singleElement().isEqualTo(after);
        changes.reversed().forEach(change -> flux.post(change).expect(202));
        assertThat(asking(flux, "moving"))
                .as("the latest answer names the set, in whatever order reports arrive")
                .singleElement()
                .isEqualTo(after);
        assertThat(result("moving", "restless").path("answer").asString("")).isEqualTo("5");
    }

    @Test
    void onlyTheClustersThatAreMeantAreAsked() {
        Flux one = talking("meant");
        Flux other = talking("other");
        create("one", "{\"cluster\":\"meant\"}", "").expect(201);
        create("labelled", "{\"fleet\":true}", ",\"labels\":{\"tier\":\"gold\"}")
                .expect(201);
        assertThat(asking(one, "one")).hasSize(1);
        assertThat(asking(other, "one")).isEmpty();
        assertThat(asking(one, "labelled")).isEmpty();
        server.admin()
                .send(
                        "PATCH",
                        "/api/v2/clusters/other",
                        "{\"spec\":{\"labels\":{\"tier\":\"gold\"}}}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
        assertThat(asking(other, "labelled")).hasSize(1);
        other.post(event(other, "one", "Retrying dependency check: …")).expect(202);
        assertThat(results("one").path("items")).hasSize(1);
    }

    @Test
    void anErrorAndAnObjectThatDoesNotExistAreShown() {
        Flux flux = talking("broken");
        create("wrong", "{\"cluster\":\"broken\"}", "").expect(201);
        flux.post(
                        event(
                                flux,
                                "wrong",
                                "Retrying dependency check: failed to evaluate the CEL expression '…': no such attribute(s): data"))
                .expect(202);
        JsonNode wrong = result("wrong", "broken");
        assertThat(wrong.path("outcome").asString("")).isEqualTo("error");
        assertThat(wrong.path("answer").asString("")).isEqualTo("no such attribute(s): data");
        flux.post(Flux.at(
                        event(
                                flux,
                                "wrong",
                                "Retrying dependency check: dependency v1/ConfigMap/default/a not found: configmaps \"a\" not found"),
                        later(2)))
                .expect(202);
        assertThat(result("wrong", "broken").path("outcome").asString("")).isEqualTo("failed");
        assertThat(result("wrong", "broken").path("answer").asString("")).isEqualTo("the object does not exist");
    }

    @Test
    void aChangedQuestionIsAskedAgain() {
        Flux flux = talking("changed");
        create("edited", "{\"cluster\":\"changed\"}", "").expect(201);
        flux.post(answer(flux, "edited", "bool", "true")).expect(202);
        ObjectNode late = answer(flux, "edited", "bool", "true");
        server.admin()
                .send(
                        "PATCH",
                        "/api/v2/probes/edited",
                        "{\"spec\":{\"expression\":\"data.size()\"}}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
        assertThat(result("edited", "changed").path("outcome").asString("")).isEqualTo("pending");
        flux.post(Flux.at(late, later(1))).expect(202);
        assertThat(result("edited", "changed").path("outcome").asString(""))
                .as("an answer to the question as it was")
                .isEqualTo("pending");
        flux.post(Flux.at(answer(flux, "edited", "text", "3"), later(3))).expect(202);
        assertThat(result("edited", "changed").path("outcome").asString("")).isEqualTo("answered");
        assertThat(result("edited", "changed").path("answer").asString("")).isEqualTo("3");
    }

    @Test
    void removingAProbeRemovesItsSetAlone() {
        Flux flux = talking("tidy");
        String components = flux.poll();
        create("short", "{\"cluster\":\"tidy\"}", "").expect(201);
        assertThat(flux.poll()).as("no other answer changes").isEqualTo(components);
        flux.post(answer(flux, "short", "bool", "false")).expect(202);
        List<JsonNode> with = sets(flux);
        JsonNode own = asking(flux, "short").getFirst();
        server.admin().delete("/api/v2/probes/short", "*").expect(200);
        List<JsonNode> without = sets(flux);
        assertThat(without).doesNotContain(own).hasSize(with.size() - 1);
        assertThat(with).containsAll(without);
        assertThat(flux.poll()).isEqualTo(components);
        Await.until(() -> findings("tidy"), List::isEmpty);
    }

    @Test
    void aProbeCannotAnswerForAnythingElse() {
        Flux flux = talking("forged");
        create("liar", "{\"cluster\":\"forged\"}", "").expect(201);
        String before = server.admin()
                .get("/api/v2/clusters/forged/delivery")
                .expect(200)
                .at("/components")
                .toString();
        flux.post(event(
                        flux,
                        "liar",
                        "Retrying dependency check: failed to evaluate the CEL expression '…': no such key: hw1"
                                + " component/forged-app "
                                + encoded("HelmRelease", "True", "x", "1.0.0", "", "item", "", "")))
                .expect(202);
        assertThat(server.admin()
                        .get("/api/v2/clusters/forged/delivery")
                        .expect(200)
                        .at("/components")
                        .toString())
                .isEqualTo(before);
    }

    @Test
    void thereAreOnlySoMany(@TempDir Path own) {
        try (TestServer many = TestServer.in(own)) {
            for (int i = 0; i < 20; i++) {
                post(many, "p-" + i).expect(201);
            }
            JsonNode problem = post(many, "p-20").expect(409).json();
            assertThat(problem.path("detail").asString("")).contains("at most 20");
            many.admin().delete("/api/v2/probes/p-3", "*").expect(200);
            post(many, "p-20").expect(201);
        }
    }

    private static TestClient.Answer post(TestServer where, String id) {
        return where.admin()
                .post(
                        "/api/v2/probes",
                        "{\"id\":\"" + id + "\",\"spec\":{\"object\":{\"api_version\":\"v1\",\"kind\":\"Node\","
                                + "\"name\":\"a\"},\"expression\":\"true\"}}");
    }

    @Test
    void whatIsRefusedSaysWhy() {
        JsonNode problem = server.admin()
                .post(
                        "/api/v2/probes",
                        "{\"id\":\"spy\",\"spec\":{\"object\":{\"api_version\":\"v1\",\"kind\":\"Secret\",\"name\":\"a\","
                                + "\"namespace\":\"default\"},\"expression\":\"data.x) || (true\"}}")
                .expect(422)
                .json();
        assertThat(problem.toString())
                .contains("/object/kind")
                .contains("/expression")
                .contains("leaves the cluster");
    }

    @Test
    void theSettingSwitchesThemOff(@TempDir Path own) {
        try (TestServer off = TestServer.in(own)) {
            Flux flux = Flux.adopt(off, "quiet", "quiet-app");
            flux.poll();
            flux.post(flux.witness("type/namespaces", "ResourceSet", "True", "", ""))
                    .expect(202);
            post(off, "here").expect(201);
            assertThat(flux.witnesses().toString()).contains("probe/here");
            off.admin()
                    .send(
                            "PATCH",
                            "/api/v2/settings/fleet",
                            "{\"spec\":{\"witnesses\":false}}",
                            Map.of("Content-Type", "application/merge-patch+json"))
                    .expect(200);
            assertThat(flux.witnesses().path("count").asInt()).isZero();
            assertThat(off.admin()
                            .get("/api/v2/probes/here/results")
                            .expect(200)
                            .at("/items"))
                    .isEmpty();
        }
    }
}
