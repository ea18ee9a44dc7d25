package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RefusedAttemptsTest {
    private static Refusal refusal(int number, String actor) {
        return new Refusal(
                Instant.EPOCH.plusSeconds(number),
                "r" + number,
                actor,
                "10.0.0.1",
                "DELETE",
                "/api/v2/clusters/a",
                403,
                "forbidden",
                "no");
    }

    private static Refusal ofStranger(int number) {
        return new Refusal(
                Instant.EPOCH.plusSeconds(number),
                "s" + number,
                "",
                "10." + number % 400 / 200 + "." + number % 200 + ".1",
                "GET",
                "/api/v2/clusters",
                Refusal.NOT_KNOWN,
                "unauthenticated",
                "no");
    }

    @Test
    void strangersFromManyNetworksHideNoKnownCaller() {
        RefusedAttempts attempts = new RefusedAttempts();
        AtomicInteger kept = new AtomicInteger();
        attempts.forwardTo(refusal -> kept.incrementAndGet(), () -> {});
        int sent = 0;
        while (attempts.dropped() == 0) {
            attempts.record(ofStranger(sent++));
        }
        int before = kept.get();
        attempts.record(refusal(sent, "person:ben"));
        assertThat(kept.get()).as("what is forwarded").isEqualTo(before + 1);
        assertThat(attempts.newest()).extracting(Refusal::actor).contains("person:ben");
        assertThat(attempts.takeUnsaved()).extracting(Refusal::actor).contains("person:ben");
    }

    @Test
    void whatCouldNotBeSavedWaitsApartFromStrangers() {
        RefusedAttempts attempts = new RefusedAttempts();
        for (int i = 0; i < 3_000; i++) {
            attempts.record(ofStranger(i));
        }
        attempts.record(refusal(3_000, "person:ben"));
        List<Refusal> unsaved = attempts.takeUnsaved();
        for (int i = 3_001; i < 4_500; i++) {
            attempts.record(ofStranger(i));
        }
        attempts.putBack(unsaved);
        assertThat(attempts.takeUnsaved()).extracting(Refusal::actor).contains("person:ben");
    }

    @Test
    void whatIsNotKeptIsCountedForOthers() {
        RefusedAttempts attempts = new RefusedAttempts();
        AtomicInteger kept = new AtomicInteger();
        AtomicInteger unkept = new AtomicInteger();
        attempts.forwardTo(refusal -> kept.incrementAndGet(), unkept::incrementAndGet);
        for (int i = 0; i < 20_000; i++) {
            attempts.record(refusal(i, "person:mallory"));
        }
        assertThat(kept.get() + unkept.get()).isEqualTo(20_000);
        assertThat(unkept.get()).isPositive().isEqualTo((int) attempts.dropped());
        int before = kept.get();
        attempts.record(refusal(20_000, "person:ben"));
        assertThat(kept.get()).as("another caller's attempt is kept").isEqualTo(before + 1);
    }
}
