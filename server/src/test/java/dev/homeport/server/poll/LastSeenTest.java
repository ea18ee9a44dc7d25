package dev.homeport.server.poll;

import static org.assertj.core.api.Assertions.assertThat;

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
