package dev.homeport.cli.terminal;

import java.time.Duration;

/** Waits a while. */
public final class Pause {
    private Pause() {}

    /** False if the user has interrupted the wait. */
    public static boolean seconds(long seconds) {
        return of(Duration.ofSeconds(seconds));
    }

    public static boolean of(Duration duration) {
        try {
            Thread.sleep(duration);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
