package dev.homeport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.server.TestServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Simulated clusters are asked what is on them, and say so as real ones do. */
class WitnessSimulationTest {
    private static final int CLUSTERS = 4;

    @TempDir
    Path folder;

    private TestServer server;
    private HomeportClient admin;
    private List<Identity> fleet;

    @BeforeEach
    void start() throws InterruptedException {
        server = TestServer.in(folder, Map.of("--poll-rate", "0"));
        admin = new HomeportClient(new ServerAddress(
                URI.create(server.admin().base()), Optional.of(server.adminToken()), Optional.empty(), line -> {}));
        fleet = new Enrolment(admin, server.poll("").base(), "sim").enrol(CLUSTERS, done -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whatComesUpAgainWithoutAnEventIsWitnessed() throws InterruptedException {
        Settings settings =
                Settings.of(URI.create(server.poll("").base()), new Settings.Pace.Every(Duration.ofMillis(500)));
        try (Simulation simulation = Simulation.start(settings, fleet, 1)) {
            await(() -> fleet.stream()
                    .allMatch(cluster ->
                            delivery(cluster.id()).path("state").asString("").equals("in-sync")
                                    && delivery(cluster.id())
                                            .at("/types/namespaces/applied/source")
                                            .asString("")
                                            .equals("witness")));
            assertThat(simulation.figures().witnessed()).isPositive();
            await(() -> fleet.stream()
                    .allMatch(cluster -> delivery(cluster.id())
                            .at("/facts/kubernetes_version/value")
                            .asString("")
                            .equals(cluster.kubernetes())));

            admin.send(
                    "POST",
                    "/api/v2/probes",
                    Map.of(),
                    Optional.of(HomeportClient.Payload.json(JsonMapper.shared()
                            .readTree(
                                    "{\"id\":\"nodes\",\"spec\":{\"object\":{\"api_version\":\"v1\",\"kind\":\"Node\","
                                            + "\"name\":\"a\"},\"expression\":\"!has(spec.unschedulable)\"}}"))));
            await(() -> admin.get("/api/v2/probes/nodes/results")
                            .body()
                            .at("/counts/passed")
                            .asInt(0)
                    == CLUSTERS);

            String broken =
                    simulation.breakSome(1.0 / CLUSTERS, "the node is gone").getFirst();
            await(() -> delivery(broken).path("state").asString("").equals("failing"));
            Thread.sleep(1_100); // times of events are whole seconds
            assertThat(simulation.heal()).containsExactly(broken);
            await(() -> delivery(broken).path("state").asString("").equals("in-sync"));
            assertThat(delivery(broken).path("components").valueStream())
                    .anyMatch(component ->
                            component.at("/healthy/source").asString("").equals("witness"));
            assertThat(simulation.deletions())
                    .as("a set that owns nothing takes nothing away")
                    .isEmpty();
            assertThat(simulation.figures().held()).isEmpty();
            assertThat(simulation.figures().faults()).isEmpty();
        }
    }

    private JsonNode delivery(String cluster) {
        return admin.get("/api/v2/clusters/" + cluster + "/delivery").body();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        Instant end = Instant.now().plusSeconds(60);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("within a minute").isBefore(end);
            Thread.sleep(200);
        }
    }
}
