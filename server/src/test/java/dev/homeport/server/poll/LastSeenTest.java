package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.PollInterval;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LastSeenTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final LastSeen lastSeen = new LastSeen();

    private void poll(String cluster, int second, String digest, String client) {
        lastSeen.record(
                cluster,
                "namespaces",
                new PollSeen(NOON.plusSeconds(second), 200, digest, 1, "set", client, "192.0.2.1"));
    }

    @Test
    void whatIsLikeBeforeIsNotLookedAt() {
        poll("a", 0, "one", "flux-operator/v1");
        assertThat(lastSeen.takeTouched()).containsExactly("a");
        poll("a", 60, "one", "flux-operator/v1");
        assertThat(lastSeen.takeTouched()).isEmpty();
        poll("a", 120, "two", "flux-operator/v1");
        assertThat(lastSeen.takeTouched()).containsExactly("a");
        poll("a", 180, "two", "flux-operator/v2");
        assertThat(lastSeen.takeTouched()).containsExactly("a");
    }

    @Test
    void oneThatIsAwaitedIsLookedAtOnceWhenItPolls() {
        poll("a", 0, "one", "flux-operator/v1");
        poll("b", 0, "one", "flux-operator/v1");
        lastSeen.takeTouched();
        lastSeen.await("a");
        assertThat(lastSeen.takeTouched()).isEmpty();
        poll("b", 900, "one", "flux-operator/v1");
        poll("a", 900, "one", "flux-operator/v1");
        assertThat(lastSeen.takeTouched()).containsExactly("a");
        poll("a", 960, "one", "flux-operator/v1");
        assertThat(lastSeen.takeTouched()).isEmpty();
    }

    @Test
    void anotherIntervalIsLookedAt() {
        every("1m", 0);
        lastSeen.takeTouched();
        every("1m", 60);
        assertThat(lastSeen.takeTouched()).isEmpty();
        every("10s", 61);
        assertThat(lastSeen.takeTouched()).containsExactly("a");
    }

    @Test
    void howOftenItPollsIsMeasuredWhereItDoesNotSay() {
        poll("a", 0, "one", "flux-operator/v1");
        assertThat(shown()).as("one poll shows nothing").isEmpty();
        poll("a", 60, "one", "flux-operator/v1");
        poll("a", 120, "one", "flux-operator/v1");
        assertThat(PollInterval.of("10s", shown())).isEqualTo(Duration.ofMinutes(1));
        poll("a", 125, "one", "flux-operator/v1");
        assertThat(PollInterval.of("10s", shown())).as("asked to poll early").isEqualTo(Duration.ofSeconds(30));
        poll("a", 126 + 24 * 3600, "one", "flux-operator/v1");
        assertThat(PollInterval.of("10s", shown())).as("after a long outage").isEqualTo(Duration.ofHours(1));
        for (int i = 1; i <= 10; i++) {
            poll("a", 126 + 24 * 3600 + i * 10, "one", "flux-operator/v1");
        }
        assertThat(PollInterval.of("10s", shown())).isEqualTo(Duration.ofSeconds(10));
        every("1m", 200_000);
        assertThat(shown()).as("it says it").isEqualTo("1m");
    }

    private void every(String every, int second) {
        lastSeen.record(
                "a",
                "namespaces",
                new PollSeen(NOON.plusSeconds(second), 200, "one", 1, "set", "flux-operator/v1", "192.0.2.1", every));
    }

    private String shown() {
        return lastSeen.last("a", "namespaces").orElseThrow().shown();
    }

    @Test
    void oneThatIsAwaitedIsLookedAtWhenItPolledElsewhere() {
        poll("a", 0, "one", "flux-operator/v1");
        lastSeen.takeTouched();
        lastSeen.await("a");
        lastSeen.learn(
                new LastSeen.Key("a", "namespaces"),
                new PollSeen(NOON.plusSeconds(900), 200, "one", 1, "set", "flux-operator/v1", "192.0.2.1"));
        assertThat(lastSeen.takeTouched()).containsExactly("a");
    }
}
