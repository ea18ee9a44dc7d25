package dev.homeport.e2e.stack;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How long something took, printed and never asserted: a busy machine makes everything slow. */
public final class Figure {
    private Figure() {}

    public static void print(String what, Runnable wait) {
        Instant start = Instant.now();
        wait.run();
        System.out.printf(
                Locale.ROOT,
                "figure: %s: %.1f s%n",
                what,
                Duration.between(start, Instant.now()).toMillis() / 1000.0);
    }
}
