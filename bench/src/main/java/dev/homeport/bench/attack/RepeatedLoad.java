package dev.homeport.bench.attack;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Does the same so many times a second, with a limit of how many are under way. */
final class RepeatedLoad implements Load {
    private static final int MOST_AT_ONCE = 200;

    private final int perSecond;
    private final Step step;
    private final AtomicLong done = new AtomicLong();

    interface Step {
        void take(int number) throws IOException;
    }

    RepeatedLoad(int perSecond, Step step) {
        this.perSecond = perSecond;
        this.step = step;
    }

    @Override
    public void run(long untilNanos) throws InterruptedException {
        Semaphore room = new Semaphore(MOST_AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            for (int i = 0; System.nanoTime() < untilNanos; i++) {
                int number = i;
                long due = begun + i * 1_000_000_000L / perSecond;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                room.acquire();
                threads.execute(() -> {
                    try {
                        step.take(number);
                    } catch (IOException e) {
                        // The server has defended itself.
                    } finally {
                        done.incrementAndGet();
                        room.release();
                    }
                });
            }
        }
    }

    @Override
    public long count() {
        return done.get();
    }
}
