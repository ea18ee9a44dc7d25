package dev.homeport.server.admin;

import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Requests that may walk the whole fleet: each has a budget, one caller runs a few of them at a time, and callers take turns. So
 * one caller with many connections slows down only its own requests.
 */
public final class ExpensiveRequests {
    private static final int PER_CALLER = 4;
    private static final int MOST_WAITING_PER_CALLER = 32;
    private static final long LOOK_AGAIN_MILLIS = 200;

    private final IntSupplier clusters;
    private final Semaphore all;

    /**
     * What is made of a long body, or for an answer as large as the fleet, stays in memory while it runs, and every garbage
     * collection that copies it stops polls.
     */
    private final Semaphore longBodies = new Semaphore(1, true);

    private final ConcurrentHashMap<String, Turns> callers = new ConcurrentHashMap<>();

    /** @param clusters how many there are */
    public ExpensiveRequests(IntSupplier clusters, int cores) {
        this.clusters = clusters;
        this.all = new Semaphore(Math.max(4, 2 * cores), true);
    }

    /** One caller's: {@code using} counts those that wait or run, and is changed inside compute alone. */
    private static final class Turns {
        private final Semaphore running = new Semaphore(PER_CALLER, true);
        private int using;
    }

    WorkBudget budget() {
        return WorkBudget.forFleet(clusters.getAsInt());
    }

    static boolean isExpensive(String operation, Call call) {
        return RequestCosts.walks(operation, call);
    }

    /** Work that is done in turn. */
    public interface Work<T> {
        T run() throws Exception;
    }

    <T> T inTurn(String operation, Call call, WorkBudget budget, Work<T> work) throws Exception {
        return inTurn(call.caller().actor().toString(), RequestCosts.isLarge(operation, call), budget, work);
    }

    /** Work of a caller that is no request of its own, such as what a stream reads from the log. */
    public <T> T inTurn(String caller, Work<T> work) throws Exception {
        WorkBudget budget = budget();
        return inTurn(caller, false, budget, () -> budget.during(work::run));
    }

    <T> T inTurn(String caller, boolean isLong, WorkBudget budget, Work<T> work) throws Exception {
        Turns turns = enter(caller);
        try {
            // Requests that wait for the one long body hold no turn that others could use.
            Work<T> next = () -> inTurn(all, budget, work);
            return inTurn(turns.running, budget, isLong ? () -> inTurn(longBodies, budget, next) : next);
        } finally {
            leave(caller);
        }
    }

    private static <T> T inTurn(Semaphore turn, WorkBudget budget, Work<T> work) throws Exception {
        acquire(turn, budget);
        try {
            return work.run();
        } finally {
            turn.release();
        }
    }

    private Turns enter(String caller) {
        Turns[] entered = new Turns[1];
        callers.compute(caller, (key, known) -> {
            Turns turns = known == null ? new Turns() : known;
            if (turns.using < PER_CALLER + MOST_WAITING_PER_CALLER) {
                turns.using++;
                entered[0] = turns;
            }
            return turns;
        });
        if (entered[0] == null) {
            throw ProblemException.refused(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "too many requests of this caller that walk the fleet are waiting",
                    "send fewer at the same time");
        }
        return entered[0];
    }

    private void leave(String caller) {
        callers.computeIfPresent(caller, (key, turns) -> --turns.using == 0 ? null : turns);
    }

    private static void acquire(Semaphore turn, WorkBudget budget) throws InterruptedException {
        while (!turn.tryAcquire(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
            budget.check();
        }
    }

    /** How many callers have one running or waiting. */
    int callers() {
        return callers.size();
    }
}
