package dev.homeport.server.liveness;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Everything in a server that must keep turning: threads with a loop, and executors, which are given something to do every
 * second. A loop survives whatever is thrown in it; one that only fails is reported like one that is late. Times are monotonic.
 */
public final class Loops implements AutoCloseable {
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration STOP = Duration.ofSeconds(5);

    private final Duration allowance;
    private final LongSupplier nanos;
    private final List<LoopHealth> all = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Probe> probes = new CopyOnWriteArrayList<>();
    private final List<Consumer<LoopHealth>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closing;

    /** One turn of a loop. */
    @FunctionalInterface
    public interface Turn {
        /** False when the loop is over. */
        boolean take() throws InterruptedException;
    }

    /** An executor that is asked whether it still executes. */
    private record Probe(LoopHealth health, Executor executor, AtomicBoolean asked) {
        void ask() {
            if (asked.compareAndSet(false, true)) {
                try {
                    executor.execute(() -> {
                        health.turned();
                        asked.set(false);
                    });
                } catch (RejectedExecutionException e) {
                    asked.set(false); // it has ended, which is asked for by itself
                }
            }
        }
    }

    /** @param allowance how long any loop may take for a turn before the server counts as not alive */
    public Loops(Duration allowance) {
        this(allowance, System::nanoTime);
    }

    Loops(Duration allowance, LongSupplier nanos) {
        this.allowance = allowance;
        this.nanos = nanos;
        start("watchdog", () -> {
            Thread.sleep(PROBE_INTERVAL);
            probes.forEach(Probe::ask);
            return true;
        });
    }

    /** Runs turns on a thread of its own until one says that it was the last, or the thread is interrupted. */
    public Thread start(String name, Turn turn) {
        return start(name, Duration.ZERO, turn);
    }

    /** @param interval how long a turn waits before it begins, which does not make it late */
    public Thread start(String name, Duration interval, Turn turn) {
        LoopHealth health = add(name, interval);
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            health.turned();
            run(health, turn);
            over.set(true);
        });
        // A thread that is over ended as it should; one that is not alive otherwise was ended by something else.
        health.deadWhen(() -> !closing && (over.get() || !thread.isAlive()));
        threads.add(thread);
        thread.start();
        return thread;
    }

    private static void run(LoopHealth health, Turn turn) {
        boolean goesOn = true;
        while (goesOn && !Thread.currentThread().isInterrupted()) {
            try {
                goesOn = turn.take();
                health.turned();
            } catch (InterruptedException e) {
                return;
            } catch (Throwable e) {
                health.failed(e);
                goesOn = pause();
            }
        }
    }

    /** False when the loop must end. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Watches an event loop. */
    public LoopHealth watch(String name, EventExecutor eventLoop) {
        return watch(name, eventLoop, eventLoop::isShuttingDown);
    }

    /** Watches an executor. */
    public LoopHealth watch(String name, Executor executor, BooleanSupplier ended) {
        LoopHealth health = adopt(name, PROBE_INTERVAL, ended);
        probes.add(new Probe(health, executor, new AtomicBoolean()));
        return health;
    }

    /** Takes in a loop that runs elsewhere, and says itself when it has turned. */
    public LoopHealth adopt(String name, Duration interval, BooleanSupplier ended) {
        LoopHealth health = add(name, interval);
        health.deadWhen(() -> !closing && ended.getAsBoolean());
        return health;
    }

    private LoopHealth add(String name, Duration interval) {
        LoopHealth health = new LoopHealth(name, allowance.plus(interval), nanos);
        all.add(health);
        listeners.forEach(listener -> listener.accept(health));
        return health;
    }

    /** Tells of each loop there is and will be. */
    public void each(Consumer<LoopHealth> listener) {
        listeners.add(listener);
        all.forEach(listener);
    }

    /** Loops whose turns have all failed for a while. */
    public List<LoopHealth.Failure> failing() {
        return all.stream().flatMap(health -> health.failure().stream()).toList();
    }

    /** Which loops are dead, late or only fail, if any. */
    public Optional<String> problem() {
        List<String> problems =
                all.stream().flatMap(health -> health.problem().stream()).toList();
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", problems));
    }

    /** From now on a loop that ends does so because it should. */
    public void closing() {
        closing = true;
    }

    @Override
    public void close() {
        closing();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join(STOP);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
