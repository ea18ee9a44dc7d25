package dev.homeport.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.EventSignature;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What any client on the network can send to the event endpoint. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileEventsTest {
    private TestServer server;
    private Flux one;
    private Flux two;

    @BeforeAll
    void start(@TempDir Path folder) {
        server = TestServer.in(folder);
        one = Flux.adopt(server, "one", "podinfo");
        two = Flux.adopt(server, "two", "podinfo");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private double counted(String outcome) {
        return server.admin()
                .get("/metrics")
                .expect(200)
                .text()
                .lines()
                .filter(line -> line.startsWith("homeport_events_total{outcome=\"" + outcome + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void unknownNamesAndWrongSignaturesLookAlike() {
        byte[] body = one.heartbeat("podinfo", "1.0.0", "").toString().getBytes(StandardCharsets.UTF_8);
        String right = EventSignature.of(one.key(), body);
        one.post(body, right).expect(202);
        TestClient.Answer wrong =
                one.post(body, EventSignature.of(two.key(), body)).expect(401);
        List<TestClient.Answer> others = List.of(
                one.post(body, ""),
                one.post(body, right.toUpperCase(Locale.ROOT)),
                one.post(body, right.substring("sha256=".length())),
                one.post(body, "sha256=" + "0".repeat(64)),
                one.post(body, "x".repeat(5000)),
                one.post(Arrays.copyOf(body, body.length - 1), right),
                two.post(body, right),
                new Flux(server.poll("").base(), "", "nobody", one.key()).post(body, right));
        assertThat(others).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.text()).isEqualTo(wrong.text());
        });
        // A valid token is no signature.
        server.poll(one.token()).send("POST", one.path(), body, Map.of()).expect(401);
    }

    @Test
    void whatIsNotAnEventIsRefusedInWords() {
        one.post("").expect(400);
        one.post("not json").expect(400);
        one.post("[1]").expect(422);
        one.post("{\"involvedObject\":{\"kind\":\"HelmRelease\"").expect(400);
        one.post("{}").expect(422);
        one.post("{\"a\":".repeat(10_000)).expect(422);
        one.post("{\"involvedObject\":{\"kind\":\"K\",\"name\":\"n\"},\"timestamp\":\"yesterday\"}")
                .expect(422);
        one.post("{\"involvedObject\":{\"kind\":\"K\",\"kind\":\"K\",\"name\":\"n\"}}")
                .expect(400);
        one.post("{\"involvedObject\":{\"kind\":[1],\"name\":{\"a\":1}},\"timestamp\":7}")
                .expect(422);
        one.post("\"" + "x".repeat(300 * 1024) + "\"").expect(413);
        server.poll("").send("PUT", one.path(), "{}", Map.of()).expect(405);
        server.poll("").get(one.path()).expect(405);
    }

    @Test
    void timesAreHeldAgainstTheServersClock() {
        Instant now = Instant.now();
        one.post(Flux.at(one.heartbeat("podinfo", "1.0.0", ""), now.plus(Duration.ofMinutes(20))))
                .expect(422);
        one.post(Flux.at(one.heartbeat("podinfo", "1.0.0", ""), now.plus(Duration.ofMinutes(9))))
                .expect(202);
        double late = counted("late");
        one.post(Flux.at(one.heartbeat("podinfo", "1.0.0", ""), now.minus(Duration.ofHours(25))))
                .expect(202);
        assertThat(counted("late")).isEqualTo(late + 1);
        one.post(one.heartbeat("podinfo", "1.0.0", "").put("timestamp", "-999999999-01-01T00:00:00+18:00"))
                .expect(202);
        one.post(one.heartbeat("podinfo", "1.0.0", "").put("timestamp", "+999999999-12-31T23:59:59-18:00"))
                .expect(422);
    }

    @Test
    void duplicatesAreOneEvent() throws InterruptedException {
        Flux flux = Flux.adopt(server, "often", "podinfo");
        ObjectNode event = flux.heartbeat("podinfo", "1.0.0", flux.poll());
        double accepted = counted("accepted");
        double duplicates = counted("duplicate");
        int times = "long".equals(System.getProperty("homeport.depth")) ? 100_000 : 10_000;
        AtomicInteger done = new AtomicInteger();
        try (var senders = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < times; i++) {
                senders.execute(() -> {
                    if (flux.post(event).status() == 202) {
                        done.incrementAndGet();
                    }
                });
            }
        }
        assertThat(done.get()).isEqualTo(times);
        assertThat(counted("accepted")).isEqualTo(accepted + 1);
        assertThat(counted("duplicate")).isEqualTo(duplicates + times - 1);
    }

    @Test
    void whatNobodyAskedForIsNotKept() {
        double unrelated = counted("unrelated");
        for (int i = 0; i < 200; i++) {
            one.post(one.heartbeat("made-up-" + i, "1.0.0", "")).expect(202);
        }
        ObjectNode plain = one.heartbeat("podinfo", "1.0.0", "");
        plain.remove("metadata");
        one.post(plain).expect(202);
        assertThat(counted("unrelated")).isEqualTo(unrelated + 201);
    }

    @Test
    void hostileTextIsKeptAsTextAlone() {
        Flux flux = Flux.adopt(server, "odd", "podinfo");
        String answer = flux.poll();
        String nasty =
                "'; DROP TABLE report; -- \u0000\u001b[31m<script>${x}\ud800 \uffff \u202e\n" + "x".repeat(39_000);
        ObjectNode event =
                flux.release("podinfo", "UpgradeFailed", "1.0.0", answer).put("message", nasty);
        flux.post(event).expect(202);
        ObjectNode other = flux.release("podinfo", "InstallSucceeded", "1.0.0\u0000", answer);
        flux.post(other.put("reason", "Install\u0000Succeeded")).expect(202);
        flux.post(flux.heartbeat("podinfo", "1.0.0", answer)).expect(202);
    }
}
