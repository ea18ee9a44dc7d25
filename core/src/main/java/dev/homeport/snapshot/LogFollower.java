package dev.homeport.snapshot;

import dev.homeport.change.ChangeLog;
import dev.homeport.change.Failpoint;
import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.change.LogStatus;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.TypeCatalog;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps memory equal to the log, and is the only one who publishes a snapshot. Takes the next revision only, with a chain
 * that fits; anything else is a quarantine, never a guess.
 */
public final class LogFollower {
    private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);
    private static final int BATCH = 500;

    /** How often everything is read while what is read is behind the end that the log named. */
    private static final int MOST_LOADS = 3;

    /** The age of what was never known to be the present. */
    private static final Duration NEVER = Duration.ofDays(3_650);

    private final ChangeLog log;
    private final HighWaterMark highWater;
    private final LongSupplier ticker;
    private final TypeCatalog builtIn;
    private final LiveSnapshot live;
    private final CommitFeed feed = new CommitFeed();
    private volatile FollowerState state;
    private volatile boolean replica;

    private LogFollower(
            ChangeLog log,
            HighWaterMark highWater,
            LongSupplier ticker,
            TypeCatalog builtIn,
            Snapshot first,
            FollowerState state) {
        this.log = log;
        this.highWater = highWater;
        this.ticker = ticker;
        this.builtIn = builtIn;
        this.live = new LiveSnapshot(first);
        this.state = state;
    }

    /**
     * Loads everything; throws when the store is wrong or out of reach.
     *
     * @param ticker nanoseconds that never go back or jump, whatever happens to the machine's clock
     */
    public static LogFollower open(ChangeLog log, HighWaterMark highWater, LongSupplier ticker, TypeCatalog builtIn) {
        Loaded loaded = load(log, ticker, builtIn);
        LogStatus status = loaded.status();
        Head head = loaded.snapshot().head();
        FollowerState first = loaded.isPresent()
                ? confirmed(loaded.asked(), status)
                : new FollowerState.Following(loaded.asked() - NEVER.toNanos());
        LogFollower follower = new LogFollower(log, highWater, ticker, builtIn, loaded.snapshot(), first);
        Optional<Head> mark = highWater.read().filter(seen -> !isLaterLife(seen, status));
        if (status.isReplica() && mark.isPresent() && isBeyond(mark.get(), head)) {
            throw new StoreUnavailable(
                    "the replica is at revision " + head.revision() + " and this server has seen "
                            + mark.get().revision() + " already; start it again when the replica has caught up",
                    new IllegalStateException("a replica that is behind"));
        }
        status.quarantine()
                .or(() -> mark.flatMap(seen -> contradiction(seen, head).or(() -> rewritten(log, seen, head))))
                .ifPresent(follower::quarantine);
        follower.remember(head);
        return follower;
    }

    /**
     * All documents, and the end of the log that was asked for before they were read.
     *
     * @param asked when the end was asked for
     */
    private record Loaded(Snapshot snapshot, LogStatus status, long asked) {
        /** Whether the documents reach the end: one replica may have said where it is, and another have been read. */
        boolean isPresent() {
            Head head = snapshot.head();
            Head end = status.head();
            return head.equals(end) || isBeyond(head, end);
        }
    }

    private static Loaded load(ChangeLog log, LongSupplier ticker, TypeCatalog builtIn) {
        Loaded loaded = loadOnce(log, ticker, builtIn);
        for (int more = MOST_LOADS - 1; more > 0 && !loaded.isPresent(); more--) {
            loaded = loadOnce(log, ticker, builtIn);
        }
        return loaded;
    }

    private static Loaded loadOnce(ChangeLog log, LongSupplier ticker, TypeCatalog builtIn) {
        long asked = ticker.getAsLong();
        LogStatus status = log.status();
        return new Loaded(SnapshotLoader.load(log, builtIn), status, asked);
    }

    public LiveSnapshot live() {
        return live;
    }

    /** The newest commits, published one by one before the snapshots that they lead to. */
    public CommitFeed feed() {
        return feed;
    }

    public FollowerState state() {
        return state;
    }

    /** How long ago the snapshot was known to be the end of the log; empty in quarantine. */
    public Optional<Duration> age() {
        return state instanceof FollowerState.Following following
                ? Optional.of(Duration.ofNanos(ticker.getAsLong() - following.confirmedAt()))
                : Optional.empty();
    }

    /** The snapshot, if it is known to have been the present within the bound. */
    public Optional<Snapshot> fresh(Duration bound) {
        return age().filter(age -> age.compareTo(bound) <= 0).map(age -> live.current());
    }

    /**
     * Brings memory to the end of the log. It counts as the present from the moment before the log was asked for its end, not
     * from the moment when everything was applied.
     */
    public synchronized void catchUp() {
        long asked = ticker.getAsLong();
        LogStatus status = log.status();
        if (status.quarantine().isPresent()) {
            quarantine(status.quarantine().get());
            return;
        }
        if (isLaterLife(live.current().head(), status)) {
            reload(status);
            return;
        }
        if (state instanceof FollowerState.Quarantined) {
            return;
        }
        replica = status.isReplica();
        if (replica && isBeyond(live.current().head(), status.head())) {
            return; // one replica may be behind another; what is known from that one simply gets older
        }
        Optional<String> wrong = contradiction(live.current().head(), status.head());
        if (wrong.isPresent()) {
            quarantine(wrong.get());
            return;
        }
        while (live.current().revision() < status.head().revision()) {
            List<RecordedCommit> next = log.after(live.current().revision(), BATCH);
            if (next.isEmpty()) {
                return; // the log went back just now, which the next look tells
            }
            for (RecordedCommit commit : next) {
                wrong = misfit(live.current(), commit);
                if (wrong.isPresent()) {
                    quarantine(wrong.get());
                    return;
                }
                Snapshot applied = Projection.apply(live.current(), commit);
                Failpoint.PUBLISH_APPLIED.reach();
                feed.publish(commit, live.current(), applied);
                live.publish(applied);
                Failpoint.PUBLISH_PUBLISHED.reach();
            }
        }
        state = confirmed(asked, status);
        remember(live.current().head());
    }

    private static FollowerState confirmed(long asked, LogStatus status) {
        return new FollowerState.Following(asked - status.age().toNanos());
    }

    /** Whether an operator accepted the log as it is now, although it contradicts what was seen. */
    private static boolean isLaterLife(Head seen, LogStatus status) {
        return status.isAccepted()
                && status.head().storeId().equals(seen.storeId())
                && status.head().epoch() > seen.epoch();
    }

    private void reload(LogStatus status) {
        Loaded loaded = load(log, ticker, builtIn);
        boolean same = loaded.snapshot().head().epoch() == status.head().epoch();
        if (!loaded.isPresent() || !same || loaded.status().quarantine().isPresent()) {
            return; // it was restored once more, or a replica is behind, which the next look tells
        }
        LOG.info(
                "an operator accepted epoch {}; the store is loaded again",
                status.head().epoch());
        replace(loaded);
    }

    private void replace(Loaded loaded) {
        feed.clear();
        live.publish(loaded.snapshot());
        state = confirmed(loaded.asked(), loaded.status());
        remember(loaded.snapshot().head());
    }

    /** Another server answered from this head. A log that does not reach it has lost its end. */
    public synchronized void confront(Head seen) {
        if (contradicts(seen)) {
            catchUp();
            if (contradicts(seen)) {
                quarantine("another server has seen revision " + seen.revision() + " of epoch " + seen.epoch()
                        + ", but the log ends at "
                        + live.current().head().revision() + " of epoch "
                        + live.current().head().epoch());
            }
        }
    }

    /** A replica that lags behind what others have seen has lost nothing. */
    private boolean contradicts(Head seen) {
        Head mine = live.current().head();
        return state instanceof FollowerState.Following
                && !replica
                && seen.storeId().equals(mine.storeId())
                && (seen.epoch() > mine.epoch() || isBeyond(seen, mine));
    }

    private static boolean isBeyond(Head seen, Head now) {
        return seen.storeId().equals(now.storeId()) && seen.epoch() == now.epoch() && seen.revision() > now.revision();
    }

    /** Waits for news and follows it, once. A store out of reach is waited for; freshness then runs out by itself. */
    public void follow(Duration pollInterval) throws InterruptedException {
        try {
            log.awaitBeyond(live.current().revision(), pollInterval);
            long begun = ticker.getAsLong();
            catchUp();
            long nanos = ticker.getAsLong() - begun;
            if (nanos > pollInterval.toNanos()) {
                LOG.info(
                        "the log was followed to revision {} in {} ms",
                        live.current().revision(),
                        Duration.ofNanos(nanos).toMillis());
                // What was asked before a large commit was applied is old by now, although memory is the present.
                catchUp();
            }
        } catch (StoreUnavailable e) {
            LOG.warn("the store does not answer: {}", e.getMessage());
            Thread.sleep(pollInterval);
        }
    }

    /** An operator has seen what would change and takes the log as it is now. */
    public synchronized void accept() {
        Loaded loaded = load(log, ticker, builtIn);
        if (!loaded.isPresent()) {
            throw new StoreUnavailable(
                    "the store was read at revision " + loaded.snapshot().revision() + " and ends at "
                            + loaded.status().head().revision() + "; accept it again when its replicas have caught up",
                    new IllegalStateException("a replica that is behind"));
        }
        replace(loaded);
    }

    private void quarantine(String reason) {
        if (state instanceof FollowerState.Quarantined known && known.reason().equals(reason)) {
            return;
        }
        LOG.error("quarantine: {}", reason);
        state = new FollowerState.Quarantined(reason);
    }

    private void remember(Head head) {
        if (state instanceof FollowerState.Following) {
            try {
                highWater.remember(head);
            } catch (UncheckedIOException e) {
                // A mark that lags is safe: it notices less, and never what is not so.
                LOG.warn("the high-water mark could not be written: {}", e.getMessage());
            }
        }
    }

    /** Why a log that was once at {@code seen} cannot now be at {@code now}. */
    private static Optional<String> contradiction(Head seen, Head now) {
        if (!seen.storeId().equals(now.storeId())) {
            return Optional.of("this is another store: " + now.storeId() + ", not " + seen.storeId());
        }
        if (now.epoch() != seen.epoch()) {
            return Optional.of("the store was restored: epoch " + now.epoch() + ", not " + seen.epoch());
        }
        if (now.revision() < seen.revision()) {
            return Optional.of("the log went back from revision " + seen.revision() + " to " + now.revision());
        }
        if (now.revision() == seen.revision() && !now.hash().equals(seen.hash())) {
            return Optional.of("revision " + now.revision() + " is not the one that was seen before");
        }
        return Optional.empty();
    }

    /** A log that is longer than the one seen, but not its continuation. */
    private static Optional<String> rewritten(ChangeLog log, Head seen, Head now) {
        if (seen.revision() == 0 || now.revision() <= seen.revision()) {
            return Optional.empty();
        }
        List<RecordedCommit> at = log.after(seen.revision() - 1, 1);
        return at.isEmpty() || !at.getFirst().commit().hash().equals(seen.hash())
                ? Optional.of("revision " + seen.revision() + " is not the one that was seen before")
                : Optional.empty();
    }

    private static Optional<String> misfit(Snapshot snapshot, RecordedCommit next) {
        long expected = snapshot.revision() + 1;
        if (next.commit().revision() != expected) {
            return Optional.of("revision " + next.commit().revision() + " came where " + expected + " was due");
        }
        if (!next.commit().previousHash().equals(snapshot.head().hash())) {
            return Optional.of("revision " + expected + " does not follow on what was seen before");
        }
        if (!next.isGenuine()) {
            return Optional.of("revision " + expected + " does not have the hash it claims");
        }
        if (next.commit().epoch() != snapshot.head().epoch()) {
            return Optional.of("the store was restored: epoch " + next.commit().epoch());
        }
        return Optional.empty();
    }
}
