package dev.homeport.snapshot;

import java.time.Duration;

/** The present. One volatile read gives a whole, consistent fleet. */
public final class LiveSnapshot {
    private volatile Snapshot current;

    public LiveSnapshot(Snapshot first) {
        this.current = first;
    }

    public Snapshot current() {
        return current;
    }

    /** For the follower alone: memory is what the log says, and nothing else. */
    synchronized void publish(Snapshot next) {
        current = next;
        notifyAll();
    }

    /** Waits until the snapshot is at least at the revision, or until the time is up, and gives the present either way. */
    public synchronized Snapshot await(long revision, Duration atMost) throws InterruptedException {
        long left = atMost.toMillis();
        while (current.revision() < revision && left > 0) {
            // One wait is enough: a caller that was woken too early asks again.
            wait(left);
            left = 0;
        }
        return current;
    }

    /** Waits until the snapshot is at least at the revision. */
    public synchronized Snapshot await(long revision) throws InterruptedException {
        while (current.revision() < revision) {
            wait();
        }
        return current;
    }
}
