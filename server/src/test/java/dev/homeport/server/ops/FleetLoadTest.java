package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.storage.Storage;
import dev.homeport.sim.Figures;
import dev.homeport.sim.Identity;
import dev.homeport.sim.Settings;
import dev.homeport.sim.Simulation;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server process with 10,000 clusters, polled by all of them. The figures to quote come from {@code ./bench/run poll}. */
@Tag("slow")
@OutsideIn
class FleetLoadTest {
    private static final int CLUSTERS = 10_000;
    private static final int OFFERED = 2_000;

    @TempDir
    private static Path folder;

    private static Fleet fleet;

    /** A server with the tokens of its clusters. */
    private record Fleet(ServerProcess server, List<String> tokens) {}

    @BeforeAll
    static void start() throws Exception {
        fleet = start(CLUSTERS);
    }

    private static Fleet start(int size) throws Exception {
        Path data = folder.resolve("data" + size);
        try (ServerProcess first = ServerProcess.serve(data)) {
            first.terminate();
            first.awaitExit();
        }
        Storage storage = SeededFleet.storage("--data", data.toString());
        List<String> tokens;
        try (SeededFleet seeded = SeededFleet.in(storage)) {
            tokens = seeded.clusters(size);
        }
        return new Fleet(ServerProcess.serve(data, "--poll-rate", "0"), tokens);
    }

    @AfterAll
    static void stop() {
        if (fleet != null) {
            fleet.server().close();
        }
    }

    /** How fast that is, and what a poll costs at which size of a fleet, is measured by {@code ./bench/run poll}. */
    @Test
    @Requirement(
            value = {"A6", "A7", "H8"},
            part = "every cluster of 10,000 is answered, in half a gibibyte; the times by ./bench/run poll")
    void everyClusterIsAnsweredWithoutAnErrorInHalfAGibibyte() throws Exception {
        assertThat(poll(fleet, 2 * CLUSTERS)).as("polls that failed").isZero();
        assertThat(residentMib()).as("resident MiB").isLessThanOrEqualTo(512);
    }

    /** Every cluster polls for each type in its answer, keeps what Flux would keep, and checks what Flux would check. */
    @Test
    @Requirement(value = "A7", part = "no error and nothing lost; the rate by ./bench/run poll")
    void simulatedClustersPollWithoutAnErrorAndLoseNothing() throws Exception {
        List<Identity> clusters = new ArrayList<>();
        for (String token : fleet.tokens()) {
            String id = "c" + clusters.size();
            clusters.add(new Identity(id, id + ".k8s.example.com", token, ""));
        }
        Settings settings = Settings.of(URI.create(fleet.server().poll()), new Settings.Pace.Rate(OFFERED));
        try (Simulation simulation = Simulation.start(settings, clusters, 1)) {
            Instant end = Instant.now().plus(Duration.ofMinutes(2));
            while (simulation.figures().polls() < CLUSTERS && Instant.now().isBefore(end)) {
                Thread.sleep(100);
            }
            Figures figures = simulation.figures();
            assertThat(figures.polls()).isGreaterThanOrEqualTo(CLUSTERS);
            assertThat(figures.statuses()).as("answers by status").containsOnlyKeys(200);
            assertThat(figures.faults()).isEmpty();
            assertThat(figures.held()).isEmpty();
            assertThat(figures.added()).as("what clusters got").isPositive();
            assertThat(simulation.deletions()).isEmpty();
        }
    }

    @Test
    @Requirement(value = "A8", part = "fleets of each size are answered; what a poll costs by ./bench/run poll")
    void fleetsOfEachSizeAreAnswered() throws Exception {
        for (int size : List.of(100, 1_000, 5_000)) {
            Fleet other = start(size);
            try {
                assertThat(poll(other, size))
                        .as("polls that failed of %s", size)
                        .isZero();
            } finally {
                other.server().close();
            }
        }
    }

    /** Polls each of the clusters in turn on a connection of its own; returns how many were not answered rightly. */
    private static int poll(Fleet fleet, int polls) {
        AtomicInteger failed = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < polls; i++) {
                int cluster = i % fleet.tokens().size();
                threads.execute(() -> {
                    RawPoll.Answer answer = RawPoll.get(
                            fleet.server().poll(),
                            SeededFleet.path(cluster),
                            fleet.tokens().get(cluster));
                    if (answer.status() != 200 || !answer.body().contains("\"c" + cluster + ".k8s.example.com\"")) {
                        failed.incrementAndGet();
                    }
                });
            }
        }
        return failed.get();
    }

    private static double residentMib() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(fleet.server().pid()), "status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024.0;
    }
}
