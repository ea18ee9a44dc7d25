package dev.homeport.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.observe.ClusterState;
import dev.homeport.observe.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceWatchTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final SilenceWatch watch = new SilenceWatch();

    private static Standing standing(String cluster, Instant silentFrom) {
        return new Standing(
                cluster,
                "dev",
                ClusterState.IN_SYNC,
                Source.POLL,
                NOON,
                Duration.ofMinutes(1),
                NOON,
                silentFrom,
                null,
                0,
                null,
                true,
                null,
                null,
                null,
                true,
                List.of(),
                false,
                List.of(),
                List.of(),
                null,
                null,
                List.of());
    }

    @Test
    void aClusterIsDueWhenItsTimeIsUpAndNotBefore() {
        watch.looked(standing("a", NOON.plusSeconds(10)), NOON);
        watch.looked(standing("b", NOON.plusSeconds(20)), NOON);
        assertThat(watch.due(NOON.plusSeconds(5))).isEmpty();
        assertThat(watch.due(NOON.plusSeconds(11))).containsExactly("a");
        assertThat(watch.due(NOON.plusSeconds(21))).containsExactly("b");
    }

    @Test
    void oneThatWasLookedAtSinceIsDueAtItsNewTime() {
        watch.looked(standing("a", NOON.plusSeconds(10)), NOON);
        watch.looked(standing("a", NOON.plusSeconds(30)), NOON.plusSeconds(5));
        assertThat(watch.due(NOON.plusSeconds(11))).isEmpty();
        assertThat(watch.due(NOON.plusSeconds(31))).containsExactly("a");
        watch.looked(standing("a", NOON.plusSeconds(100)), NOON.plusSeconds(32));
        watch.looked(standing("a", NOON.plusSeconds(50)), NOON.plusSeconds(33));
        assertThat(watch.due(NOON.plusSeconds(51)))
                .as("it polls more often now")
                .containsExactly("a");
    }

    @Test
    void lookingOftenPlansNoMore() {
        for (int i = 0; i < 10_000; i++) {
            watch.looked(standing("a", NOON.plusSeconds(600).plusMillis(i)), NOON.plusMillis(i));
        }
        assertThat(watch.turns()).isEqualTo(1);
    }

    @Test
    void oneThatCouldNotBeLookedAtIsDueAgain() {
        watch.looked(standing("a", NOON.plusSeconds(10)), NOON);
        assertThat(watch.due(NOON.plusSeconds(11))).containsExactly("a");
        assertThat(watch.due(NOON.plusSeconds(12))).isEmpty();
        assertThat(watch.due(NOON.plusSeconds(72))).containsExactly("a");
    }

    @Test
    void oneThatIsSilentOrForgottenIsNotDue() {
        assertThat(watch.looked(standing("a", NOON.minusSeconds(1)), NOON)).isTrue();
        assertThat(watch.looked(standing("b", NOON.plusSeconds(10)), NOON)).isFalse();
        watch.forget("b");
        assertThat(watch.due(NOON.plusSeconds(60))).isEmpty();
        assertThat(watch.turns()).isZero();
    }
}
