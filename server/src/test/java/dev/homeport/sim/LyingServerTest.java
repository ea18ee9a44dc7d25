package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.server.TestServer;
import dev.homeport.sim.AuditTrail.Reason;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a server says: what clusters lose is counted, and nothing that is not in the log explains it. */
class LyingServerTest {
    private static final int CLUSTERS = 8;
    private static final String COMPONENTS = "platform-components";
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path folder;

    private TestServer server;
    private HomeportClient admin;
    private List<Identity> fleet;

    @BeforeEach
    void start() throws InterruptedException {
        server = TestServer.in(folder, Map.of("--poll-rate", "0"));
        admin = client(server.admin().base());
        fleet = new Enrolment(admin, server.poll("").base(), "sim").enrol(CLUSTERS, done -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HomeportClient client(String address) {
        return new HomeportClient(
                new ServerAddress(URI.create(address), Optional.of(server.adminToken()), Optional.empty(), line -> {}));
    }

    private long send(String method, String path, String body) {
        Map<String, String> headers = new HashMap<>();
        Optional<HomeportClient.Payload> payload =
                body.isEmpty() ? Optional.empty() : Optional.of(HomeportClient.Payload.json(JSON.readTree(body)));
        while (true) {
            try {
                return admin.send(method, path, headers, payload)
                        .header("homeport-revision")
                        .map(Long::parseLong)
                        .orElseThrow();
            } catch (ApiProblem e) {
                assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.CONFIRMATION_REQUIRED);
                headers.put("Homeport-Confirm", e.body().path("confirmation").asString(""));
            }
        }
    }

    private long merge(String type, String id, String patch) {
        return send(
                "POST",
                "/api/v2/changes",
                "{\"reason\": \"a test\", \"operations\": [{\"op\": \"merge\", \"type\": \"" + type + "\", \"id\": \""
                        + id + "\", \"patch\": " + patch + "}]}");
    }

    private long without(String type, String id, String component) {
        return merge(type, id, "{\"platform_components\": [{\"id\": \"" + component + "\", \"$remove\": true}]}");
    }

    private static Deletion lost(int cluster, String component, long from, long to) {
        return new Deletion("sim-00000" + cluster, COMPONENTS, component, component.endsWith("5"), from, to);
    }

    private List<Reason> reasons(HomeportClient audit, Deletion... deletions) {
        List<Deletion> all = List.of(deletions);
        return AuditTrail.of(all, audit).reasons(all);
    }

    @Test
    void onlyTheLogExplainsADeletion() {
        long gone = without("cluster", "sim-000000", "sim-part-4");
        long back = merge("cluster", "sim-000000", "{\"platform_components\": [{\"id\": \"sim-part-4\"}]}");
        long before = gone - 1;
        assertThat(reasons(
                        admin,
                        lost(0, "sim-part-4", before, gone),
                        lost(0, "sim-part-2", before, gone),
                        lost(1, "sim-part-4", before, gone)))
                .containsExactly(Reason.OWN_EDIT, Reason.NONE, Reason.NONE);
        assertThat(reasons(
                        admin,
                        lost(0, "sim-part-4", before, back),
                        lost(0, "sim-part-4", back, before),
                        lost(0, "sim-part-4", gone, gone),
                        lost(0, "sim-part-4", before, -1),
                        lost(0, "sim-part-4", -1, gone),
                        lost(0, "sim-part-4", before, back + 1000)))
                .as("given back, older, the same, of no revision, of none before, of one that does not exist")
                .containsOnly(Reason.NONE);
    }

    @Test
    void aPausedClusterLosesNothingUntilItGoesOn() {
        long paused = send("POST", "/api/v2/clusters/sim-000000:pause?reason=test", "");
        long gone = without("cluster", "sim-000000", "sim-part-4");
        long resumed = send("POST", "/api/v2/clusters/sim-000000:resume?reason=test", "");
        assertThat(reasons(
                        admin,
                        lost(0, "sim-part-4", paused, gone),
                        lost(0, "sim-part-4", gone, resumed),
                        lost(0, "sim-part-2", gone, resumed)))
                .satisfiesExactly(
                        early -> assertThat(early).isEqualTo(Reason.NONE),
                        due -> assertThat(due.isGood()).as(due.name()).isTrue(),
                        never -> assertThat(never).isEqualTo(Reason.NONE));
    }

    /** Homeport itself takes something away only when its time has come. */
    @Test
    void whatExpiredHasAnEndThatIsPast() throws Exception {
        Instant end = Instant.now().plusSeconds(5);
        send("POST", "/api/v2/clusters/sim-000000:pause?reason=test&until=" + end, "");
        long gone = without("cluster", "sim-000000", "sim-part-4");
        AtomicReference<JsonNode> last = new AtomicReference<>();
        await(() -> {
            last.set(admin.get("/api/v2/changes?page_size=1").body().at("/items/0"));
            return last.get().path("actor").asString("").startsWith("system:");
        });
        long ended = last.get().path("revision").longValue();
        assertThat(ended).isEqualTo(gone + 1);
        assertThat(reasons(admin, lost(0, "sim-part-4", gone, ended), lost(0, "sim-part-2", gone, ended)))
                .containsExactly(Reason.EXPIRED, Reason.NONE);
        try (LyingProxy proxy = new LyingProxy(server.admin().base())) {
            proxy.lie(
                    (path, honest) -> honest.body(honest.body().replaceAll("(\"paused_until\":\")[0-9]{4}", "$12999")));
            assertThat(reasons(client(proxy.address()), lost(0, "sim-part-4", gone, ended)))
                    .containsExactly(Reason.UNCONFIRMED);
        }
    }

    @Test
    void manyClustersLoseNothingUnconfirmed() throws IOException {
        long gone = without("cluster_template", "sim", "sim-part-1");
        Deletion[] all = new Deletion[CLUSTERS];
        for (int i = 0; i < CLUSTERS; i++) {
            all[i] = lost(i, "sim-part-1", gone - 1, gone);
        }
        assertThat(reasons(admin, all)).containsOnly(Reason.CONFIRMED);
        try (LyingProxy proxy = new LyingProxy(server.admin().base())) {
            proxy.lie((path, honest) -> honest.body(honest.body().replaceAll("\"confirmed\":\"[^\"]*\"", "")));
            assertThat(reasons(client(proxy.address()), all)).containsOnly(Reason.UNCONFIRMED);
            assertThat(reasons(client(proxy.address()), all[0], all[1])).containsOnly(Reason.SHARED_EDIT);
        }
    }

    @Test
    void whatFluxWouldKeepIsKeptAndWhatItWouldDeleteIsCounted() throws Exception {
        try (LyingProxy proxy = new LyingProxy(server.poll("").base());
                Simulation simulation = Simulation.start(settings(proxy), fleet, 1)) {
            await(() -> simulation.settled() == CLUSTERS);
            String elsewhere = server.poll("").base();
            List<LyingProxy.Lie> harmless = List.of(
                    (path, honest) -> honest.body("{\"inputs\":[]}"),
                    (path, honest) -> honest.body(honest.body().replace("\"id\":\"sim-", "\"id\":\"sim-x")),
                    (path, honest) -> honest.body(without(honest.body(), false)),
                    (path, honest) -> honest.body(honest.body().replaceAll("\\[(.*)]", "[$1,$1]")),
                    (path, honest) -> honest.body("{\"inputs\":[{\"id\":\"\u0080\"}]}"),
                    (path, honest) -> LyingProxy.Answer.redirect(elsewhere + path),
                    (path, honest) -> LyingProxy.Answer.redirect(path),
                    (path, honest) -> honest.cutOff());
            for (LyingProxy.Lie lie : harmless) {
                proxy.lie(lie);
                await(() -> proxy.answers() > 2 * CLUSTERS);
                assertThat(simulation.deletions())
                        .as("lie %d", harmless.indexOf(lie))
                        .isEmpty();
            }
            proxy.lie((path, honest) -> honest.body(without(honest.body(), true)));
            await(() -> simulation.deletions().size() >= CLUSTERS);
            List<Deletion> lost = simulation.deletions();
            assertThat(AuditTrail.of(lost, admin).reasons(lost)).containsOnly(Reason.NONE);
            proxy.lie((path, honest) -> honest.revision(Optional.empty()));
            await(() -> simulation.figures().unmarked() > 0);
        }
    }

    /** What was counted is shown, and not called explained, when the audit cannot be asked any more. */
    @Test
    void aServerThatIsGoneExplainsNothing() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), server.adminToken());
        Path identities = folder.resolve("identities");
        IdentityFile.write(identities, fleet);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (LyingProxy proxy = new LyingProxy(server.poll("").base());
                LyingProxy audit = new LyingProxy(server.admin().base())) {
            proxy.lie((path, honest) ->
                    honest.body(proxy.answers() < 10L * CLUSTERS ? honest.body() : without(honest.body(), true)));
            audit.lie((path, honest) -> new LyingProxy.Answer(503, "", 0, Optional.empty(), Optional.empty()));
            int exit = new CommandLine(new SimulateCommand())
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(
                            "--server",
                            audit.address(),
                            "--poll-url",
                            proxy.address(),
                            "--token-file",
                            token.toString(),
                            "--identities",
                            identities.toString(),
                            "--clusters",
                            "" + CLUSTERS,
                            "--poll",
                            "100ms",
                            "--for",
                            "3s",
                            "--no-events");
            assertThat(exit).as("%s%s", out, err).isEqualTo(1);
        }
        assertThat(out.toString())
                .containsPattern("items gone +[1-9]")
                .containsPattern("unexplained deletions +not known");
        assertThat(err.toString()).contains("the audit cannot be read");
    }

    /** Without the envelope nothing stands between an empty list and a cluster. */
    @Test
    void anEmptyListDeletesWhatFlatInputsMade() throws Exception {
        try (LyingProxy proxy = new LyingProxy(server.poll("").base());
                Simulation simulation = Simulation.start(settings(proxy).shaped(Settings.Shape.FLAT, 3), fleet, 1)) {
            await(() -> simulation.settled() == CLUSTERS);
            assertThat(simulation.inventory("sim-000000", COMPONENTS).orElseThrow())
                    .as("cut at the limit")
                    .containsExactlyInAnyOrder("sim-part-0", "sim-part-1", "sim-part-2");
            proxy.lie((path, honest) -> honest.body(
                    path.startsWith("/api/v2/flux/clusters/sim-000003") ? "{\"inputs\":[]}" : honest.body()));
            await(() ->
                    simulation.inventory("sim-000003", COMPONENTS).orElseThrow().isEmpty());
            proxy.lie((path, honest) -> honest);
            List<Deletion> lost = simulation.deletions();
            assertThat(lost).extracting(Deletion::cluster).containsOnly("sim-000003");
            assertThat(AuditTrail.of(lost, admin).reasons(lost)).containsOnly(Reason.NONE);
        }
    }

    private static Settings settings(LyingProxy proxy) {
        return Settings.of(URI.create(proxy.address()), new Settings.Pace.Every(Duration.ofMillis(150)))
                .retryingWithin(Duration.ofMillis(100));
    }

    /** Without its first component. */
    private static String without(String answer, boolean counted) {
        ObjectNode body = (ObjectNode) JSON.readTree(answer);
        JsonNode set = body.path("inputs").path(0);
        if (set.path("type").asString("").equals(COMPONENTS)) {
            ObjectNode changed = (ObjectNode) set;
            changed.withArray("items").remove(0);
            if (counted) {
                changed.put("count", changed.path("items").size());
            }
        }
        return body.toString();
    }

    private static void await(BooleanSupplier done) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as("patience").isLessThan(until);
            Thread.sleep(20);
        }
    }
}
