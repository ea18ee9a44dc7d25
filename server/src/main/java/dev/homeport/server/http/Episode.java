package dev.homeport.server.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** When a limit was reached. Times that follow each other closely are one episode. */
public final class Episode {
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final AtomicReference<@Nullable Reached> reached = new AtomicReference<>();

    /**
     * One episode.
     *
     * @param address who reached it last
     */
    public record Reached(Instant since, Instant last, String address) {}

    void note(Instant now, String address) {
        reached.updateAndGet(
                before -> new Reached(before == null || isLate(before, now) ? now : before.since(), now, address));
    }

    /** The last episode, if it may still go on. */
    Optional<Reached> lately(Instant now) {
        return Optional.ofNullable(reached.get()).filter(last -> !isLate(last, now));
    }

    private static boolean isLate(Reached before, Instant now) {
        return before.last().plus(LONGEST_PAUSE).isBefore(now);
    }
}
