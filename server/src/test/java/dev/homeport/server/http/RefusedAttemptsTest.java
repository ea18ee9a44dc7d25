package dev.homeport.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.Refusal;
import java.time.Instant;
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
