package dev.homeport.server.liveness;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When a loop turned last, and how often it failed. */
public final class LoopHealth {
    private static final Logger LOG = LoggerFactory.getLogger(LoopHealth.class);

    /** Enough for real faults; a fault whose place changes each time must not fill the memory. */
    private static final int MOST_KINDS = 100;

    private final String name;
    private final Duration allowance;
    private final LongSupplier nanos;
    private final AtomicLong failures = new AtomicLong();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private volatile long turnedAt;
    private volatile @Nullable Thread thread;
    private volatile BooleanSupplier dead = () -> false;

    LoopHealth(String name, Duration allowance, LongSupplier nanos) {
        this.name = name;
        this.allowance = allowance;
        this.nanos = nanos;
        this.turnedAt = nanos.getAsLong();
    }

    public String name() {
        return name;
    }

    public void turned() {
        thread = Thread.currentThread();
        turnedAt = nanos.getAsLong();
    }

    /** The thread of the last turn; none before the first one. */
    public Optional<Thread> thread() {
        return Optional.ofNullable(thread);
    }

    /** Counts a failure, and logs the first one of its kind. */
    public void failed(Throwable failure) {
        failures.incrementAndGet();
        StackTraceElement[] stack = failure.getStackTrace();
        String kind = failure.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
        if (logged.size() < MOST_KINDS && logged.add(kind)) {
            LOG.error("the {} loop failed and goes on; further failures of this kind are only counted", name, failure);
        }
    }

    public long failures() {
        return failures.get();
    }

    public Duration age() {
        return Duration.ofNanos(Math.max(0, nanos.getAsLong() - turnedAt));
    }

    void deadWhen(BooleanSupplier condition) {
        dead = condition;
    }

    /** What is wrong with it, if anything. */
    Optional<String> problem() {
        if (dead.getAsBoolean()) {
            return Optional.of("loop " + name + " has ended");
        }
        Duration age = age();
        return age.compareTo(allowance) > 0
                ? Optional.of("loop " + name + " has not turned for " + age.toSeconds() + " s (allowed: "
                        + allowance.toSeconds() + " s)")
                : Optional.empty();
    }
}
