package dev.homeport.cli;

import java.time.Duration;

/** Waits a while. */
final class Pause {
    private Pause() {}

    /** False if the user has interrupted the wait. */
    static boolean seconds(long seconds) {
        return of(Duration.ofSeconds(seconds));
    }

    static boolean of(Duration duration) {
        try {
            Thread.sleep(duration);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
