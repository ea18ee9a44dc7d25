package dev.homeport.server.poll;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.HeardDay;
import dev.homeport.observe.HeardSlot;
import dev.homeport.observe.Observations;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.PollInterval;
import dev.homeport.observe.PollLog.From;
import dev.homeport.observe.Refusal;
import dev.homeport.observe.Stranger;
import dev.homeport.observe.TokenUse;
import dev.homeport.server.events.ReportedAnswers;
import dev.homeport.server.events.Reports;
import dev.homeport.server.events.Strangers;
import dev.homeport.server.http.RefusedAttempts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves what was polled here, a batch at a time, and learns what was polled elsewhere. Where the observed store is out of
 * reach, polls go on and are kept in memory, and every question is answered with what is safe.
 */
public final class PollKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollKeeper.class);

    /** Servers' clocks differ, and batches come late. */
    private static final Duration OVERLAP = Duration.ofSeconds(10);

    private static final Duration LEARN_INTERVAL = Duration.ofSeconds(3);
    private static final Duration STRANGERS_KEPT = Duration.ofDays(7);
    private static final int MOST_REFUSALS = 1000;
    private static final Duration PRUNE_INTERVAL = Duration.ofHours(1);

    private final Supplier<Observations> opener;
    private final LastSeen lastSeen;
    private final Reports reports;
    private final Strangers strangers;
    private final RefusedAttempts refusals;
    private final InstantSource clock;
    private final int days;
    private volatile @Nullable Observations log;
    private volatile boolean failing;
    private volatile boolean hasLearnt;
    private volatile Rhythm rhythm = (cluster, gap) -> {};
    private volatile ItemsOfAnswers itemsOfAnswers = (key, shape, digest) -> Optional.empty();
    /** The latest that was saved for each cluster. */
    private final Map<String, HeardSlot> heard = new HashMap<>();

    private @Nullable Head savedHead;
    private Instant learnt = Instant.EPOCH;
    private Instant pruned = Instant.EPOCH;
    private Instant forgotten = Instant.EPOCH;

    /**
     * @param opener tried again until it succeeds
     * @param days how long it is kept when a cluster was heard from
     */
    public PollKeeper(
            Supplier<Observations> opener,
            LastSeen lastSeen,
            Reports reports,
            Strangers strangers,
            RefusedAttempts refusals,
            InstantSource clock,
            int days) {
        this.refusals = refusals;
        this.opener = opener;
        this.lastSeen = lastSeen;
        this.reports = reports;
        this.strangers = strangers;
        this.clock = clock;
        this.days = days;
    }

    /** Receives the time between two polls of a cluster. */
    public interface Rhythm {
        void polled(String cluster, float seconds);
    }

    /** Finds what an answer holds. */
    public interface ItemsOfAnswers {
        /** Empty when the cluster would be given something else by now. */
        Optional<GivenAnswer.Items> of(LastSeen.Key key, String shape, String digest);
    }

    /** Says what is in the answers that clusters were given, so that it is known after the log is lost. */
    public void record(ItemsOfAnswers items) {
        itemsOfAnswers = items;
    }

    /** One batch after the other, so that a poll does not pay for it. */
    public void watch(Rhythm watch) {
        rhythm = watch;
    }

    /** What other servers have seen of the log, if that can be asked. */
    public Optional<Head> highest() {
        try {
            return opened().highest();
        } catch (RuntimeException e) {
            failed(e);
            return Optional.empty();
        }
    }

    /** Saves, learns and tidies up. A batch that cannot be saved now is tried again with the next. */
    public synchronized void keep(Head head) {
        Map<LastSeen.Key, PollSeen> polls = lastSeen.takeUnsaved();
        Set<String> served = lastSeen.takeUnsavedServed();
        List<LastSeen.Given> given = lastSeen.takeUnsavedGiven();
        List<TokenUse> uses = lastSeen.takeUnsavedTokens();
        List<Refusal> refused = refusals.takeUnsaved();
        try {
            Observations into = opened();
            List<ObservedPoll> rows = polls.entrySet().stream()
                    .map(entry -> row(entry.getKey(), entry.getValue()))
                    .toList();
            Set<HeardSlot> heardNow = rows.stream()
                    .map(HeardSlot::of)
                    .filter(slot -> !slot.equals(heard.get(slot.cluster())))
                    .collect(Collectors.toSet());
            List<GivenAnswer> answers = given.stream().map(this::answer).toList();
            PollBatch batch = new PollBatch(rows, heardNow, served, answers, uses, refused, head);
            if (!batch.isIdle() || !head.equals(savedHead)) {
                into.save(batch);
                savedHead = head;
                heardNow.forEach(slot -> heard.put(slot.cluster(), slot));
            }
        } catch (RuntimeException e) {
            lastSeen.putBack(polls, given, served, uses);
            refusals.putBack(refused);
            failed(e);
            return;
        }
        polls.forEach((key, poll) -> {
            if (!Float.isNaN(poll.gap())) {
                rhythm.polled(key.cluster(), poll.gap());
            }
        });
        try {
            saveStrangers(opened());
            learn(opened());
            prune(opened());
            if (failing) {
                LOG.info("the observed store is back");
                failing = false;
            }
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Compares the answers that clusters report with what they were given. */
    public void compare(ReportedAnswers reported) {
        try {
            reported.compareAnswers(clock.instant(), opened());
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** In quarantine nothing is recorded but who was refused. */
    public synchronized void keepRefused() {
        try {
            saveStrangers(opened());
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** False only when the cluster was certainly never given an answer. */
    public boolean mayHavePolled(String cluster) {
        return served(cluster, true);
    }

    /** True only when the cluster certainly got an answer. */
    public boolean wasServed(String cluster) {
        return served(cluster, false);
    }

    private boolean served(String cluster, boolean whenUnknown) {
        if (lastSeen.hasServed(cluster)) {
            return true;
        }
        try {
            return opened().wasServed(cluster);
        } catch (RuntimeException e) {
            failed(e);
            return whenUnknown;
        }
    }

    /** Puts a name into the observed store by which it is known again; false when it cannot be reached. */
    public boolean mark(String name, Head head) {
        try {
            opened().save(new PollBatch(List.of(), Set.of(name), head));
            return true;
        } catch (RuntimeException e) {
            failed(e);
            return false;
        }
    }

    /** Whether this is the observed store that was given the name. */
    public boolean isMarked(String name) {
        try {
            return opened().wasServed(name);
        } catch (RuntimeException e) {
            failed(e);
            return false;
        }
    }

    /** Whether what others, and this server before it started, have saved is known here. */
    public boolean hasLearnt() {
        return hasLearnt;
    }

    /** The observed store itself, for readers. */
    public Observations opened() {
        Observations known = log;
        return known != null ? known : open();
    }

    private synchronized Observations open() {
        Observations known = log;
        if (known == null) {
            known = opener.get();
            log = known;
        }
        return known;
    }

    /** Now and then: what clusters reported that are no more. */
    public synchronized void forgetGone(Predicate<String> exists) {
        Instant now = clock.instant();
        if (forgotten.plus(PRUNE_INTERVAL).isAfter(now)) {
            return;
        }
        try {
            opened().forget(now.minus(STRANGERS_KEPT), reports.forget(exists, now.minus(PRUNE_INTERVAL)));
            heard.keySet().removeIf(exists.negate());
            forgotten = now;
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void saveStrangers(Observations into) {
        List<Stranger> taken = strangers.take();
        try {
            if (!taken.isEmpty()) {
                into.saveStrangers(taken);
            }
        } catch (RuntimeException e) {
            strangers.putBack(taken);
            throw e;
        }
    }

    private void learn(Observations from) {
        Instant now = clock.instant();
        if (learnt.plus(LEARN_INTERVAL).isAfter(now)) {
            return;
        }
        boolean first = learnt.equals(Instant.EPOCH);
        Instant since = first ? learnt : learnt.minus(OVERLAP);
        List<ObservedPoll> polls = from.since(since, From.OTHERS);
        for (ObservedPoll poll : polls) {
            lastSeen.learn(new LastSeen.Key(poll.cluster(), poll.type()), seen(poll));
        }
        if (first) {
            recordMissing(polls, from.given());
        }
        from.reportsSince(since, From.OTHERS).forEach(reports::add);
        from.witnessesSince(since, From.OTHERS).forEach(reports::add);
        from.tokensUsedSince(since, From.OTHERS).forEach(lastSeen::learn);
        refusals.learn(from.refusalsSince(since, MOST_REFUSALS));
        learnt = now;
        hasLearnt = true;
    }

    /** An older release recorded polls without what was in the answers. */
    private void recordMissing(List<ObservedPoll> polls, List<GivenAnswer> known) {
        Map<LastSeen.Key, String> digests = new HashMap<>();
        known.forEach(answer -> digests.put(new LastSeen.Key(answer.cluster(), answer.type()), answer.digest()));
        for (ObservedPoll poll : polls) {
            LastSeen.Key key = new LastSeen.Key(poll.cluster(), poll.type());
            if (!poll.digest().equals(digests.get(key))) {
                lastSeen.gave(key, seen(poll));
            }
        }
    }

    private GivenAnswer answer(LastSeen.Given given) {
        LastSeen.Key key = given.key();
        PollSeen poll = given.poll();
        return GivenAnswer.now(
                key.cluster(),
                key.type(),
                poll.shape(),
                poll.digest(),
                poll.at(),
                itemsOfAnswers.of(key, poll.shape(), poll.digest()));
    }

    private void prune(Observations in) {
        Instant now = clock.instant();
        if (pruned.plus(PRUNE_INTERVAL).isBefore(now)) {
            in.prune(HeardDay.dayOf(now).minusDays(days));
            pruned = now;
        }
    }

    public static ObservedPoll row(LastSeen.Key key, PollSeen poll) {
        return new ObservedPoll(
                key.cluster(),
                key.type(),
                poll.at(),
                poll.since(),
                poll.status(),
                poll.digest(),
                poll.revision(),
                poll.shape(),
                poll.client(),
                poll.address(),
                poll.shown());
    }

    private static PollSeen seen(ObservedPoll poll) {
        return new PollSeen(
                poll.at(),
                poll.since(),
                poll.status(),
                poll.digest(),
                poll.revision(),
                poll.shape(),
                poll.client(),
                poll.address(),
                PollInterval.isMeasured(poll.every()) ? "" : poll.every(),
                Float.NaN,
                PollSeen.paceOf(poll.every()));
    }

    /** Logged once for each outage; a server that stops interrupts the saving thread, and saves the rest itself. */
    private void failed(RuntimeException e) {
        if (!failing && !Thread.currentThread().isInterrupted()) {
            failing = true;
            LOG.warn("polls are not saved for now: {}", e.getMessage(), e instanceof StoreUnavailable ? null : e);
        }
    }

    @Override
    public synchronized void close() {
        Observations known = log;
        if (known != null) {
            known.close();
        }
    }
}
