package dev.homeport.server.metrics;

import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.state.Convergence;
import dev.homeport.server.state.StateBoard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** How long clusters take: from one poll to the next, and to follow a change. */
final class ClusterTimes {
    private ClusterTimes() {}

    static void measure(MeterRegistry registry, StateBoard board, PollKeeper keeper) {
        Timer lateness = timer("homeport.poll.lateness", "How much later than its interval a cluster polled")
                .register(registry);
        keeper.watch((cluster, gap) -> board.interval(cluster).ifPresent(interval -> {
            Duration late = Duration.ofMillis((long) (gap * 1000)).minus(interval);
            lateness.record(late.isNegative() ? Duration.ZERO : late);
        }));
        Map<Convergence.Stage, Timer> stages = new EnumMap<>(Convergence.Stage.class);
        for (Convergence.Stage stage : Convergence.Stage.values()) {
            stages.put(
                    stage,
                    timer(
                                    "homeport.change.convergence",
                                    "Time from a change until a cluster was given it and reported it")
                            .tag("stage", stage.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        board.convergence()
                .watch((stage, after) ->
                        Objects.requireNonNull(stages.get(stage)).record(after));
    }

    private static Timer.Builder timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(15),
                        Duration.ofHours(1),
                        Duration.ofHours(6),
                        Duration.ofDays(1));
    }
}
