package dev.homeport.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that is set by hand. */
final class MovingClock implements InstantSource {
    private volatile Instant now;

    MovingClock(Instant now) {
        this.now = now;
    }

    /** Time does not go back. */
    void moveTo(Instant time) {
        now = time.isAfter(now) ? time : now.plus(Duration.ofSeconds(40));
    }

    @Override
    public Instant instant() {
        return now;
    }
}
