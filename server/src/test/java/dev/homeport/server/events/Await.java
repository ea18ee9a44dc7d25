package dev.homeport.server.events;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** States follow what happened a moment later. */
final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Await() {}

    static <T> T until(Supplier<T> look, Predicate<T> wanted) {
        Instant end = Instant.now().plus(LONGEST);
        T seen = look.get();
        while (!wanted.test(seen)) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError("still " + seen);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            seen = look.get();
        }
        return seen;
    }
}
