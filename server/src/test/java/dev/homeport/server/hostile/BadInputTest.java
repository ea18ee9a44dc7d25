package dev.homeport.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Every operation of the description with an admin's token: it succeeds once, exactly as described; then thousands of
 * requests, each a good one with one thing wrong, are refused, and nothing has happened.
 */
@OutsideIn
class BadInputTest {
    private static final Set<Integer> VALIDATED = Set.of(400, 409, 410, 412, 413, 415, 422, 428);
    private static final List<String> LOUD =
            List.of("dev.homeport.server.http.RefusedAttempts", "dev.homeport.access.log");

    private TestServer server;
    private TestClient admin;
    private ApiDocument api;
    private GoodRequests good;
    private RawClient raw;

    @BeforeEach
    void start(@TempDir Path folder) throws SQLException {
        LOUD.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.WARN));
        server = TestServer.in(folder);
        damageRecord();
        admin = server.admin();
        Map<String, String> plurals = new HashMap<>();
        plurals.put("widget", "widgets");
        admin.get("/api/v2/types")
                .expect(200)
                .at("/items")
                .forEach(type -> plurals.put(
                        type.get("name").stringValue(), type.get("plural").stringValue()));
        good = new GoodRequests(admin, plurals);
        good.lay();
        api = new ApiDocument(admin.get("/openapi.json").expect(200).json());
        // Events are signed with a cluster's key and not sent by people; HostileEventsTest spoils those.
        api.operations().remove("post_event");
        // These lead to an identity provider and back; BrowserTest spoils them.
        api.operations().remove("login");
        api.operations().remove("loginCallback");
        raw = new RawClient(admin.base(), server.adminToken());
    }

    /** Only a record that cannot be read can be repaired. */
    private void damageRecord() throws SQLException {
        server.admin().post("/api/v2/clusters", """
                        {"id":"damaged","spec":{"cluster_name":"damaged","cluster_dns":"damaged.example.com",
                         "environment":"dev","owner":"team-a"}}""").expect(201);
        server.stop();
        try (var connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + server.data().resolve("homeport.db"));
                var update = connection.createStatement()) {
            assertThat(update.executeUpdate("UPDATE documents SET body = replace(body, '{', '{ ')"
                            + " WHERE type = 'cluster_life' AND id = 'damaged'"))
                    .isEqualTo(1);
        }
        server.startAgain();
    }

    @AfterEach
    void stop() {
        LOUD.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).setLevel(null));
        raw.close();
        server.close();
    }

    @Test
    void whatIsWrongIsRefusedEverywhereAndNothingHappens() throws Exception {
        List<String> faults = new ArrayList<>();
        // First, because a list of clusters is refused while the record of one of them cannot be read.
        succeedOnce("repairCluster", faults);
        for (String operation : api.operations().keySet()) {
            if (!operation.equals("repairCluster")) {
                succeedOnce(operation, faults);
            }
        }
        assertThat(faults).as("good requests").isEmpty();

        List<Request> bases = new ArrayList<>();
        for (String operation : api.operations().keySet()) {
            bases.add(good.of(operation, "b"));
        }
        long before = revision();
        int count = count();
        long seed = Long.getLong("homeport.seed", 7);
        Random random = new Random(seed);
        List<Mutations.Named> ways = new ArrayList<>();
        for (Mutations.Named way : new Mutations(random, api).all()) {
            for (int i = 0; i < way.weight(); i++) {
                ways.add(way);
            }
        }
        Map<Integer, Integer> histogram = new TreeMap<>();
        Map<String, Integer> byWay = new TreeMap<>();
        for (int sent = 0; sent < count; ) {
            Mutations.Named way = ways.get(random.nextInt(ways.size()));
            Request base = way.name().equals("hostile yaml") ? named(bases, "importFleet") : any(bases, random);
            Request spoilt = way.way().spoil(base);
            if (spoilt == null) {
                continue;
            }
            RawClient.Response response = raw.send(spoilt);
            sent++;
            histogram.merge(response.status(), 1, Integer::sum);
            byWay.merge(way.name() + " " + response.status(), 1, Integer::sum);
            judge(way.name(), spoilt, response, faults);
            if (faults.size() > 30) {
                break;
            }
        }
        int reached = histogram.entrySet().stream()
                .filter(entry -> VALIDATED.contains(entry.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
        System.out.printf(
                "bad input, seed %d: %d operations, %d requests, %s, %.1f %% reached validation%n%s%n",
                seed, bases.size(), count, histogram, 100.0 * reached / count, byWay);
        assertThat(String.join("\n", faults)).isEmpty();
        assertThat(revision()).as("commits").isEqualTo(before);
        assertThat(reached).isGreaterThanOrEqualTo(count * 8 / 10);
        admin.get("/health").expect(200);
        admin.get("/ready").expect(200);
        admin.post("/api/v2/namespaces", "{\"id\":\"afterwards\",\"spec\":{}}").expect(201);
    }

    private void succeedOnce(String operation, List<String> faults) throws Exception {
        Request request = good.of(operation, "a");
        RawClient.Response response = raw.send(request);
        if (response.status() == 409 && response.headers().containsKey("homeport-confirm")) {
            response =
                    raw.send(request.with("Homeport-Confirm", response.headers().getOrDefault("homeport-confirm", "")));
        }
        if (response.status() / 100 != 2) {
            faults.add(request + " was refused: " + response.text());
        } else if (!api.declares(operation, response.status())) {
            faults.add(operation + " answers " + response.status() + ", which is not described");
        } else if (!request.method().equals("HEAD")) {
            api.faults(operation, response.status(), type(response), response.text())
                    .forEach(fault -> faults.add(operation + " " + response_(fault)));
        }
    }

    private static String response_(String fault) {
        return fault.length() > 300 ? fault.substring(0, 300) + "…" : fault;
    }

    private void judge(String way, Request request, RawClient.Response response, List<String> faults) {
        int status = response.status();
        if (status < 400 || status > 499) {
            faults.add(way + " → " + status + ": " + request + " → " + response.text());
            return;
        }
        boolean ours = type(response).equals("application/problem+json");
        if (!ours) {
            // What is not HTTP is refused before any handler sees it.
            if (!Set.of(400, 414, 431).contains(status)) {
                faults.add(way + " → " + status + " without a problem: " + request);
            }
            return;
        }
        if (request.method().equals("HEAD")) {
            return;
        }
        var problem = StrictJson.read(response.body());
        if (problem.path("detail").asString("").isEmpty()
                || problem.path("next").asString("").isEmpty()) {
            faults.add(way + " → " + status + " says too little: " + response.text());
        }
        if (response.text().contains("Exception") || response.text().contains("\tat ")) {
            faults.add(way + " → shows its inside: " + response.text());
        }
        boolean elsewhere = Set.of("path", "method").contains(way);
        if (!elsewhere && !api.declares(request.operation(), status)) {
            faults.add(way + " → " + status + ", which is not described: " + request);
        }
    }

    private static String type(RawClient.Response response) {
        return response.headers().getOrDefault("content-type", "");
    }

    private long revision() {
        return admin.get("/api/v2/changes?page_size=1")
                .expect(200)
                .at("/items/0/revision")
                .longValue();
    }

    private static Request any(List<Request> bases, Random random) {
        // Those with a body have more that can be wrong.
        Request one = bases.get(random.nextInt(bases.size()));
        return one.body().length == 0 && random.nextInt(3) > 0 ? bases.get(random.nextInt(bases.size())) : one;
    }

    private static Request named(List<Request> bases, String operation) {
        return bases.stream()
                .filter(base -> base.operation().equals(operation))
                .findFirst()
                .orElseThrow();
    }

    private static int count() {
        return switch (System.getProperty("homeport.depth", "normal")) {
            case "quick" -> 500;
            case "long" -> 50_000;
            default -> 4_000;
        };
    }
}
