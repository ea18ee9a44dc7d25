package dev.homeport.snapshot;

import dev.homeport.change.ChangeLog;
import dev.homeport.change.CommitHash;
import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.TypeCatalog;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps memory equal to the log, and is the only one who publishes a snapshot. Takes the next revision only, with a chain
 * that fits; anything else is a quarantine, never a guess.
 */
public final class LogFollower {
    private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);
    private static final int BATCH = 500;

    private final ChangeLog log;
    private final HighWaterMark highWater;
    private final InstantSource clock;
    private final TypeCatalog builtIn;
    private final LiveSnapshot live;
    private volatile FollowerState state;

    private LogFollower(
            ChangeLog log, HighWaterMark highWater, InstantSource clock, TypeCatalog builtIn, Snapshot first) {
        this.log = log;
        this.highWater = highWater;
        this.clock = clock;
        this.builtIn = builtIn;
        this.live = new LiveSnapshot(first);
        this.state = new FollowerState.Following(clock.instant());
    }

    /** Loads everything; throws when the store is wrong or out of reach. */
    public static LogFollower open(ChangeLog log, HighWaterMark highWater, InstantSource clock, TypeCatalog builtIn) {
        LogFollower follower = new LogFollower(log, highWater, clock, builtIn, SnapshotLoader.load(log, builtIn));
        Head head = follower.live.current().head();
        highWater
                .read()
                .flatMap(seen -> contradiction(seen, head).or(() -> rewritten(log, seen, head)))
                .ifPresent(follower::quarantine);
        follower.remember(head);
        return follower;
    }

    public LiveSnapshot live() {
        return live;
    }

    public FollowerState state() {
        return state;
    }

    /** The snapshot, if it is known to have been the present within the bound. */
    public Optional<Snapshot> fresh(Duration bound) {
        return switch (state) {
            case FollowerState.Quarantined _ -> Optional.empty();
            case FollowerState.Following following -> {
                Instant oldest = clock.instant().minus(bound);
                yield following.confirmedAt().isBefore(oldest) ? Optional.empty() : Optional.of(live.current());
            }
        };
    }

    /** Brings memory to the end of the log. */
    public synchronized void catchUp() {
        if (state instanceof FollowerState.Quarantined) {
            return;
        }
        Instant asked = clock.instant();
        Snapshot snapshot = live.current();
        List<RecordedCommit> next = log.after(snapshot.revision(), BATCH);
        if (next.isEmpty()) {
            Optional<String> wrong = contradiction(snapshot.head(), log.head());
            if (wrong.isPresent()) {
                quarantine(wrong.get());
                return;
            }
        }
        while (!next.isEmpty()) {
            for (RecordedCommit commit : next) {
                Optional<String> wrong = misfit(snapshot, commit);
                if (wrong.isPresent()) {
                    quarantine(wrong.get());
                    return;
                }
                snapshot = Projection.apply(snapshot, commit);
                live.publish(snapshot);
            }
            next = log.after(snapshot.revision(), BATCH);
        }
        state = new FollowerState.Following(asked);
        remember(snapshot.head());
    }

    /** Another server answered from this head. A log that does not reach it has lost its end. */
    public synchronized void confront(Head seen) {
        if (isBeyond(seen)) {
            catchUp();
            if (isBeyond(seen)) {
                quarantine("another server has seen revision " + seen.revision() + " of epoch " + seen.epoch()
                        + ", but the log ends at "
                        + live.current().head().revision() + " of epoch "
                        + live.current().head().epoch());
            }
        }
    }

    private boolean isBeyond(Head seen) {
        Head mine = live.current().head();
        return state instanceof FollowerState.Following
                && seen.storeId().equals(mine.storeId())
                && (seen.epoch() > mine.epoch() || seen.epoch() == mine.epoch() && seen.revision() > mine.revision());
    }

    /** Waits for news and follows it, once. A store out of reach is waited for; freshness then runs out by itself. */
    public void follow(Duration pollInterval) throws InterruptedException {
        try {
            log.awaitBeyond(live.current().revision(), pollInterval);
            catchUp();
        } catch (StoreUnavailable e) {
            LOG.warn("the store does not answer: {}", e.getMessage());
            Thread.sleep(pollInterval);
        }
    }

    /** An operator has seen what would change and takes the log as it is now. */
    public synchronized void accept() {
        Snapshot loaded = SnapshotLoader.load(log, builtIn);
        live.publish(loaded);
        state = new FollowerState.Following(clock.instant());
        remember(loaded.head());
    }

    private void quarantine(String reason) {
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
        List<String> digests = next.changes().stream()
                .map((RecordedChange change) -> CommitHash.ofChange(change.key(), change.payloadDigest()))
                .toList();
        if (!CommitHash.ofCommit(next.commit(), digests).equals(next.commit().hash())) {
            return Optional.of("revision " + expected + " does not have the hash it claims");
        }
        if (next.commit().epoch() != snapshot.head().epoch()) {
            return Optional.of("the store was restored: epoch " + next.commit().epoch());
        }
        return Optional.empty();
    }
}
