package dev.homeport.server.liveness;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When a loop turned last, how often it failed, and since when it has only failed. */
public final class LoopHealth {
    private static final Logger LOG = LoggerFactory.getLogger(LoopHealth.class);

    /** Enough for real faults; a fault whose place changes each time must not fill the memory. */
    private static final int MOST_KINDS = 100;

    /** Causes may form a cycle. */
    private static final int MOST_CAUSES = 20;

    private final String name;
    private final Duration allowance;
    private final LongSupplier nanos;
    private final AtomicLong failures = new AtomicLong();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private volatile long turnedAt;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Failing failing;
    private volatile BooleanSupplier dead = () -> false;

    /**
     * Failures without a successful turn in between.
     *
     * @param since the first of them
     * @param faultSince the first after the last one with an external cause; null when the last one had an external cause
     * @param cause the class of the last one
     */
    private record Failing(long since, @Nullable Long faultSince, String cause) {}

    /**
     * A loop whose turns have all failed for a while.
     *
     * @param cause the class of the last failure
     */
    public record Failure(String loop, Duration duration, String cause) {}

    LoopHealth(String name, Duration allowance, LongSupplier nanos) {
        this.name = name;
        this.allowance = allowance;
        this.nanos = nanos;
        this.turnedAt = nanos.getAsLong();
    }

    public String name() {
        return name;
    }

    /** A turn succeeded. */
    public void turned() {
        thread = Thread.currentThread();
        turnedAt = nanos.getAsLong();
        failing = null;
    }

    /** The thread of the last turn; none before the first one. */
    public Optional<Thread> thread() {
        return Optional.ofNullable(thread);
    }

    /** A turn failed: counts it, and logs the first one of its kind. */
    public void failed(Throwable failure) {
        thread = Thread.currentThread();
        long now = nanos.getAsLong();
        turnedAt = now;
        failing = next(failing, now, failure);
        failures.incrementAndGet();
        StackTraceElement[] stack = failure.getStackTrace();
        String kind = failure.getClass().getName() + (stack.length == 0 ? "" : " at " + stack[0]);
        if (logged.size() < MOST_KINDS && logged.add(kind)) {
            LOG.error("the {} loop failed and goes on; further failures of this kind are only counted", name, failure);
        }
    }

    private static Failing next(@Nullable Failing before, long now, Throwable failure) {
        Long fault = before == null ? null : before.faultSince();
        return new Failing(
                before == null ? now : before.since(),
                isExternal(failure) ? null : fault == null ? Long.valueOf(now) : fault,
                failure.getClass().getSimpleName());
    }

    /** A restart does not repair a database or a disk, and would lose the answers that the server may still give. */
    private static boolean isExternal(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(one -> one instanceof StoreUnavailable
                        || one instanceof StoreCorrupt
                        || one instanceof StoreRefused
                        || one instanceof SQLException
                        || one instanceof IOException);
    }

    /** Set when every turn has failed for half of the time after which the server counts as not alive. */
    Optional<Failure> failure() {
        Failing now = failing;
        if (now == null) {
            return Optional.empty();
        }
        Duration duration = since(now.since());
        return duration.compareTo(allowance.dividedBy(2)) > 0
                ? Optional.of(new Failure(name, duration, now.cause()))
                : Optional.empty();
    }

    public long failures() {
        return failures.get();
    }

    public Duration age() {
        return since(turnedAt);
    }

    private Duration since(long then) {
        return Duration.ofNanos(Math.max(0, nanos.getAsLong() - then));
    }

    void deadWhen(BooleanSupplier condition) {
        dead = condition;
    }

    /** The problem, if any. */
    Optional<String> problem() {
        if (dead.getAsBoolean()) {
            return Optional.of("loop " + name + " has ended");
        }
        Failing now = failing;
        Long faultSince = now == null ? null : now.faultSince();
        return tooLong(age(), " has not turned for ")
                .or(() -> faultSince == null
                        ? Optional.empty()
                        : tooLong(since(faultSince), " has failed on every turn for "));
    }

    private Optional<String> tooLong(Duration duration, String what) {
        return duration.compareTo(allowance) > 0
                ? Optional.of(
                        "loop " + name + what + duration.toSeconds() + " s (allowed: " + allowance.toSeconds() + " s)")
                : Optional.empty();
    }
}
