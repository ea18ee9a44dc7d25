package dev.homeport.bench.events;

import dev.homeport.bench.Percentiles;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * Sends at a fixed rate, whatever comes back. A request's time counts from when it was due, so that a server that stalls is
 * not spared those that it kept from being sent.
 */
final class PacedLoad implements Runnable {
    private final int perSecond;
    private final long[] nanos;
    private final IntPredicate send;
    private final AtomicInteger failed = new AtomicInteger();

    /** @param send sends the request with this number; false when it was not answered as it should */
    PacedLoad(int perSecond, int seconds, IntPredicate send) {
        this.perSecond = perSecond;
        this.nanos = new long[perSecond * seconds];
        this.send = send;
    }

    @Override
    public void run() {
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < nanos.length; i++) {
                int number = i;
                long due = begun + i * 1_000_000_000L / perSecond;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> {
                    if (!send.test(number)) {
                        failed.incrementAndGet();
                    }
                    nanos[number] = System.nanoTime() - due;
                });
            }
        }
    }

    int sent() {
        return nanos.length;
    }

    int failed() {
        return failed.get();
    }

    double millis(double share) {
        return new Percentiles(nanos).millis(share);
    }
}
