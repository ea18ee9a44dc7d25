package dev.homeport.server.http;

import dev.homeport.observe.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refused requests: the last few in memory, more in the observed store, all of them in the log file. Known callers
 * and unknown clients have lists and rates of their own, so that a flood of wrong tokens hides nothing.
 */
public final class RefusedAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedAttempts.class);
    private static final int KEPT = 1000;
    private static final int KEPT_OF_STRANGERS = 200;
    private static final int A_MINUTE_OF_A_CALLER = 120;
    private static final int BURST_OF_A_CALLER = 1000;
    private static final int A_MINUTE = 1200;
    private static final int BURST = 5000;
    private static final Comparator<Refusal> NEWEST_FIRST =
            Comparator.comparing(Refusal::at).thenComparing(Refusal::requestId).reversed();

    private final Deque<Refusal> known = new ArrayDeque<>();
    private final Deque<Refusal> strangers = new ArrayDeque<>();
    private final Set<Refusal> unsaved = new HashSet<>();
    private final Set<Refusal> unsavedOfStrangers = new HashSet<>();

    /** Of actors and of networks: an actor's name is no network. */
    private final Buckets callers = new Buckets(A_MINUTE_OF_A_CALLER, BURST_OF_A_CALLER, System::nanoTime);

    private final Buckets ofKnown = new Buckets(A_MINUTE, BURST, System::nanoTime);
    private final Buckets ofStrangers = new Buckets(A_MINUTE, BURST, System::nanoTime);
    private final LongAdder dropped = new LongAdder();
    private volatile Consumer<Refusal> forward = refusal -> {};
    private volatile Runnable forwardDropped = () -> {};

    /**
     * Also notifies others, which must not block.
     *
     * @param unkept for each of which nothing is kept
     */
    public void forwardTo(Consumer<Refusal> kept, Runnable unkept) {
        forward = kept;
        forwardDropped = unkept;
    }

    /** How many were not kept, because one caller, or all known callers or all strangers together, made too many. */
    public long dropped() {
        return dropped.sum();
    }

    public void record(Refusal refusal) {
        boolean stranger = refusal.isOfStranger();
        String caller = stranger ? FailedLogins.network(refusal.address()) : refusal.actor();
        if (!callers.take(caller) || !(stranger ? ofStrangers : ofKnown).take("")) {
            dropped.increment();
            forwardDropped.run();
            return;
        }
        forward.accept(refusal);
        LOG.info(
                "refused {}: {} {} {} by {} from {}: {}",
                refusal.requestId(),
                refusal.status(),
                refusal.method(),
                refusal.path(),
                refusal.actor().isEmpty() ? "a stranger" : refusal.actor(),
                refusal.address(),
                refusal.code());
        synchronized (this) {
            keep(refusal);
            awaitSaving(refusal);
        }
    }

    private void awaitSaving(Refusal refusal) {
        Set<Refusal> waiting = refusal.isOfStranger() ? unsavedOfStrangers : unsaved;
        if (waiting.size() < KEPT) {
            waiting.add(refusal);
        }
    }

    private void keep(Refusal refusal) {
        Deque<Refusal> list = refusal.isOfStranger() ? strangers : known;
        list.addFirst(refusal);
        if (list.size() > (refusal.isOfStranger() ? KEPT_OF_STRANGERS : KEPT)) {
            list.removeLast();
        }
    }

    /** Refusals of other servers, or of this one before it started. */
    public synchronized void learn(List<Refusal> others) {
        Set<Refusal> mine = new HashSet<>(known);
        mine.addAll(strangers);
        others.stream().sorted(NEWEST_FIRST.reversed()).filter(mine::add).forEach(this::keep);
    }

    public synchronized List<Refusal> newest() {
        List<Refusal> all = new ArrayList<>(known);
        all.addAll(strangers);
        all.sort(NEWEST_FIRST);
        return all;
    }

    public synchronized List<Refusal> takeUnsaved() {
        List<Refusal> taken = new ArrayList<>(unsaved);
        taken.addAll(unsavedOfStrangers);
        unsaved.clear();
        unsavedOfStrangers.clear();
        return taken;
    }

    /** Takes back what could not be saved. */
    public synchronized void putBack(List<Refusal> refusals) {
        refusals.forEach(this::awaitSaving);
    }
}
