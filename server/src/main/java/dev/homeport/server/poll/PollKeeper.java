package dev.homeport.server.poll;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.observe.HeardDay;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.observe.PollLog;
import dev.homeport.write.ClusterContact;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves what was polled here, a batch at a time, and learns what was polled elsewhere. Where the observed store is out of
 * reach, polls go on and are kept in memory, and every question is answered with what is safe.
 */
public final class PollKeeper implements ClusterContact, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollKeeper.class);

    /** Servers' clocks differ, and batches come late. */
    private static final Duration OVERLAP = Duration.ofSeconds(10);

    private static final Duration LEARN_INTERVAL = Duration.ofSeconds(3);
    private static final Duration PRUNE_INTERVAL = Duration.ofHours(1);

    private final Supplier<PollLog> opener;
    private final LastSeen lastSeen;
    private final InstantSource clock;
    private final int days;
    private volatile @Nullable PollLog log;
    private volatile boolean failing;
    private @Nullable Head savedHead;
    private Instant learnt = Instant.EPOCH;
    private Instant pruned = Instant.EPOCH;

    /**
     * @param opener tried again until it succeeds
     * @param days how long it is kept when a cluster was heard from
     */
    public PollKeeper(Supplier<PollLog> opener, LastSeen lastSeen, InstantSource clock, int days) {
        this.opener = opener;
        this.lastSeen = lastSeen;
        this.clock = clock;
        this.days = days;
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
        try {
            PollLog into = opened();
            List<ObservedPoll> rows = polls.entrySet().stream()
                    .map(entry -> row(entry.getKey(), entry.getValue()))
                    .toList();
            if (!rows.isEmpty() || !served.isEmpty() || !head.equals(savedHead)) {
                into.save(new PollBatch(rows, served, head));
                savedHead = head;
            }
        } catch (RuntimeException e) {
            lastSeen.putBack(polls, served);
            failed(e);
            return;
        }
        try {
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

    @Override
    public boolean mayHavePolled(String cluster) {
        if (lastSeen.hasServed(cluster)) {
            return true;
        }
        try {
            return opened().wasServed(cluster);
        } catch (RuntimeException e) {
            failed(e);
            return true;
        }
    }

    @Override
    public boolean drained(String cluster) {
        return false;
    }

    @Override
    public boolean released(String cluster) {
        return false;
    }

    /** The observed store itself, for whoever shows it. */
    public PollLog opened() {
        PollLog known = log;
        return known != null ? known : open();
    }

    private synchronized PollLog open() {
        PollLog known = log;
        if (known == null) {
            known = opener.get();
            log = known;
        }
        return known;
    }

    private void learn(PollLog from) {
        Instant now = clock.instant();
        if (learnt.plus(LEARN_INTERVAL).isAfter(now)) {
            return;
        }
        Instant since = learnt.equals(Instant.EPOCH) ? learnt : learnt.minus(OVERLAP);
        for (ObservedPoll poll : from.since(since)) {
            lastSeen.learn(new LastSeen.Key(poll.cluster(), poll.type()), seen(poll));
        }
        learnt = now;
    }

    private void prune(PollLog in) {
        Instant now = clock.instant();
        if (pruned.plus(PRUNE_INTERVAL).isBefore(now)) {
            in.prune(HeardDay.dayOf(now).minusDays(days));
            pruned = now;
        }
    }

    private static ObservedPoll row(LastSeen.Key key, PollSeen poll) {
        return new ObservedPoll(
                key.cluster(),
                key.type(),
                poll.at(),
                poll.status(),
                poll.digest(),
                poll.revision(),
                poll.shape(),
                poll.client(),
                poll.address());
    }

    private static PollSeen seen(ObservedPoll poll) {
        return new PollSeen(
                poll.at(), poll.status(), poll.digest(), poll.revision(), poll.shape(), poll.client(), poll.address());
    }

    /** Once for each outage. */
    private void failed(RuntimeException e) {
        if (!failing) {
            failing = true;
            LOG.warn("polls are not saved for now: {}", e.getMessage(), e instanceof StoreUnavailable ? null : e);
        }
    }

    @Override
    public synchronized void close() {
        PollLog known = log;
        if (known != null) {
            known.close();
        }
    }
}
