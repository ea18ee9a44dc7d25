package dev.homeport.problem;

import dev.homeport.api.ErrorCode;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much work one request may cause, and whether a client still waits for its result. Loops over documents ask it, so that a
 * small request cannot cost much more than its size or one walk through the fleet, and work ends with its connection.
 */
public final class WorkBudget {
    /** Looking at one document through an index. */
    public static final int INDEXED_LOOK = 1;

    /** Reading one document and comparing its fields. */
    public static final int LOOK = 4;

    /** Reading one earlier version of a document from the log. */
    public static final int VERSION_READ = 50;

    /** Writing one document that a selector chose. */
    public static final int SELECTED_WRITE = 20;

    /** Reading one commit from the log, whatever its size. */
    public static final int COMMIT_READ = 2_000;

    private static final long LEAST = 400_000;
    private static final long PER_CLUSTER = 60;
    private static final ScopedValue<WorkBudget> CURRENT = ScopedValue.newInstance();
    private static final WorkBudget UNLIMITED = new WorkBudget(Long.MAX_VALUE);

    private final AtomicLong left;
    private volatile boolean cancelled;

    public WorkBudget(long steps) {
        this.left = new AtomicLong(steps);
    }

    /** Enough for a few walks through a fleet of this size. */
    public static WorkBudget forFleet(int clusters) {
        return new WorkBudget(LEAST + PER_CLUSTER * clusters);
    }

    /** That of the request that this thread works for; without a limit outside of requests. */
    public static WorkBudget current() {
        return CURRENT.isBound() ? CURRENT.get() : UNLIMITED;
    }

    /** Runs with this budget as the current one. Threads started meanwhile do not inherit it. */
    public <T> T during(Callable<T> work) throws Exception {
        return ScopedValue.where(CURRENT, this).call(work::call);
    }

    /** Before work of this many steps. */
    public void spend(long steps) {
        check();
        if (this != UNLIMITED && left.addAndGet(-steps) < 0) {
            throw ProblemException.refused(
                    ErrorCode.TOO_EXPENSIVE,
                    "this request looks at or writes too many documents: its selectors and filters are too many for a"
                            + " fleet of this size",
                    "split it into several requests, or select by labels, environment or workspace");
        }
    }

    /** Before work of this many steps that can be left out: false when there is not enough left for it. */
    public boolean affords(long steps) {
        check();
        if (this == UNLIMITED) {
            return true;
        }
        long before = left.getAndUpdate(now -> now < steps ? now : now - steps);
        return before >= steps;
    }

    /** Between two parts of long work. */
    public void check() {
        if (cancelled) {
            throw new Cancelled();
        }
    }

    /** The client is gone. */
    public void cancel() {
        if (this != UNLIMITED) {
            cancelled = true;
        }
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** Stops work whose client is gone. */
    public static final class Cancelled extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Cancelled() {
            super("the connection was closed before the answer was ready", null, false, false);
        }
    }
}
