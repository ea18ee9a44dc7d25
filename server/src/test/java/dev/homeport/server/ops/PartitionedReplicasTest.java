package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.storage.Storage;
import dev.homeport.testing.OutsideIn;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters poll two read-only servers alternately, as behind a load balancer, while one of them is cut off from its database and
 * the other is stopped, again and again. Each cluster keeps what Flux would keep and waits between two polls for a little longer
 * than the freshness bound, which is the promise: less than that may be answered from before.
 */
@Tag("slow")
@OutsideIn
class PartitionedReplicasTest {
    private static final int CLUSTERS = 40;
    private static final Duration FRESHNESS = Duration.ofMillis(600);
    private static final int ROUNDS = switch (System.getProperty("homeport.depth", "normal")) {
        case "quick" -> 1;
        case "long" -> 60;
        default -> 2;
    };

    @TempDir
    private Path folder;

    private EmbeddedPostgres postgres;
    private PartitionProxy proxy;
    private ServerProcess crud;
    private ServerProcess cutOff;
    private ServerProcess stopped;
    private TestClient admin;
    private List<String> tokens;

    private final List<Thread> fleet = new ArrayList<>();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();
    private final List<String> unconfirmed = Collections.synchronizedList(new ArrayList<>());
    private final List<String> oldAfterNew = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger deletions = new AtomicInteger();
    private final AtomicLong[] seen = new AtomicLong[CLUSTERS];
    private volatile boolean stop;

    @BeforeEach
    void start() throws IOException {
        postgres = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .start();
        proxy = new PartitionProxy(postgres.getPort());
        Path data = folder.resolve("crud");
        crud = serve(data, postgres.getPort(), "--init", "true");
        String adminToken = crud.lines().stream()
                .filter(line -> line.startsWith("admin token"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        admin = new TestClient(crud.admin(), adminToken);
        Storage storage = SeededFleet.storage("--data", data.toString(), "--database-url", url(postgres.getPort()));
        try (SeededFleet seeded = SeededFleet.in(storage)) {
            tokens = seeded.clusters(CLUSTERS);
        }
        cutOff = replica("cut-off", proxy.port());
        stopped = replica("stopped", postgres.getPort());
    }

    private static String url(int port) {
        return "postgresql://postgres:postgres@127.0.0.1:" + port + "/postgres";
    }

    private ServerProcess replica(String name, int port) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Files.copy(folder.resolve("crud/master.key"), own.resolve("master.key"));
        return serve(own, port, "--mode", "read-only");
    }

    private static ServerProcess serve(Path data, int port, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--database-url",
                url(port),
                "--freshness-ms",
                Long.toString(FRESHNESS.toMillis()),
                "--poll-rate",
                "0"));
        all.addAll(List.of(more));
        return ServerProcess.serve(data, all.toArray(String[]::new));
    }

    @AfterEach
    void end() throws Exception {
        stop = true;
        proxy.cut(false);
        signal("CONT");
        for (Thread one : fleet) {
            one.join();
        }
        cutOff.close();
        stopped.close();
        crud.close();
        proxy.close();
        postgres.close();
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(stopped.pid()))
                .start()
                .waitFor();
    }

    /** One cluster: what it has is what it was answered last. */
    private void poll(int cluster) {
        Random random = new Random(cluster);
        Set<String> inventory = new TreeSet<>();
        while (!stop) {
            String server = random.nextBoolean() ? cutOff.poll() : stopped.poll();
            RawPoll.Answer answer = RawPoll.get(server, SeededFleet.path(cluster), tokens.get(cluster));
            if (answer.status() == 200) {
                answered.incrementAndGet();
                long before = seen[cluster].getAndSet(answer.revision());
                if (answer.revision() < before) {
                    oldAfterNew.add("c" + cluster + ": " + answer.revision() + " after " + before);
                }
                Set<String> now = new TreeSet<>();
                StrictJson.read(answer.body())
                        .path("inputs")
                        .forEach(input -> now.add(input.path("id").asString()));
                for (String item : inventory) {
                    if (!now.contains(item)) {
                        deletions.incrementAndGet();
                        if (!removed.contains("c" + cluster + "/" + item)) {
                            unconfirmed.add("c" + cluster + "/" + item + " at " + answer.revision());
                        }
                    }
                }
                inventory = now;
            } else {
                held.incrementAndGet();
            }
            pause(FRESHNESS.plusMillis(50));
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives every cluster a component, and takes it away from every second one again. */
    private void change(int round) {
        admin.post("/api/v2/platform-components", """
                        {"id": "extra-%1$d", "spec": {"component_path": "apps/extra/1.0.0", "component_version": "1.0.0",
                         "kind": "helm", "oci_url": "oci://registry.example.com/platform/extra", "oci_tag": "v1.0.%1$d"}}""".formatted(round)).expect(201);
        List<String> some = new ArrayList<>(List.of("podinfo", "extra-" + round));
        List<String> all = new ArrayList<>(List.of("podinfo"));
        for (int i = 0; i <= round; i++) {
            all.add("extra-" + i);
        }
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            assign(cluster, cluster % 2 == 0 ? some : all);
        }
        for (int cluster = 0; cluster < CLUSTERS; cluster += 2) {
            removed.add("c" + cluster + "/extra-" + round);
            assign(cluster, List.of("podinfo"));
        }
    }

    private void assign(int cluster, List<String> components) {
        String path = "/api/v2/clusters/c" + cluster;
        String references = String.join(
                ",", components.stream().map(id -> "{\"id\":\"" + id + "\"}").toList());
        String body = "{\"platform_components\":[" + references + "]}";
        TestClient.Answer answer = admin.patch(path, "{\"spec\":" + body + "}");
        if (answer.status() == 409) {
            answer =
                    admin.patch(path + "?confirmation=" + answer.header("Homeport-Confirm"), "{\"spec\":" + body + "}");
        }
        answer.expect(200);
    }

    private static void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            pause(Duration.ofMillis(20));
        }
    }

    @Test
    void nothingIsDeletedWithoutAReasonAndNothingOldComesAfterTheNew() throws Exception {
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            int one = cluster;
            seen[cluster] = new AtomicLong();
            fleet.add(Thread.ofVirtual().start(() -> poll(one)));
        }
        await("every cluster is answered", () -> answered.get() > 2 * CLUSTERS);
        for (int round = 0; round < ROUNDS; round++) {
            int before = held.get();
            proxy.cut(true);
            change(round);
            await("the server that is cut off refuses", () -> held.get() > before + CLUSTERS / 2);
            signal("STOP");
            proxy.cut(false);
            pause(FRESHNESS.multipliedBy(2));
            signal("CONT");
            int since = answered.get();
            await("both answer again", () -> answered.get() > since + 3 * CLUSTERS);
        }
        long end = admin.get("/api/v2/clusters?page_size=1")
                .expect(200)
                .at("/revision")
                .longValue();
        await("every cluster has the newest", () -> {
            for (AtomicLong one : seen) {
                if (one.get() < end) {
                    return false;
                }
            }
            return true;
        });
        assertThat(unconfirmed).isEmpty();
        assertThat(oldAfterNew).isEmpty();
        assertThat(deletions.get()).as("removals arrived").isPositive();
    }
}
