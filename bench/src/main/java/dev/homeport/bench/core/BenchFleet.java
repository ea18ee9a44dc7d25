package dev.homeport.bench.core;

import dev.homeport.access.Actor;
import dev.homeport.access.Rights;
import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Types;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.store.SqlStore;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A real store, follower and writer, wired as a server does it, but for accounts and the high-water mark. */
final class BenchFleet implements AutoCloseable {
    private static final Actor ACTOR = new Actor(Actor.Kind.PERSON, "bench");

    private final SqlStore store;
    private final TimedLog log;
    private final LogFollower follower;
    private final Writer writer;

    private BenchFleet(SqlStore store) {
        this.store = store;
        this.log = new TimedLog(store);
        this.follower = LogFollower.open(log, noMark(), System::nanoTime, BuiltInTypes.catalog());
        this.writer = new Writer(
                log,
                follower,
                new Rights(InstantSource.system()),
                new Confirmation("a key for the bench".getBytes(StandardCharsets.UTF_8)),
                ClusterContact.UNKNOWN,
                InstantSource.system());
    }

    /** Loads everything that is in the store. */
    static BenchFleet open(StoreAddress address) {
        return new BenchFleet(address.open());
    }

    SqlStore store() {
        return store;
    }

    TimedLog log() {
        return log;
    }

    Writer writer() {
        return writer;
    }

    Snapshot snapshot() {
        return follower.live().current();
    }

    int clusters() {
        return snapshot().all(Types.CLUSTER).size();
    }

    static WriteRequest request(List<Operation> operations) {
        return WriteRequest.of(ACTOR, "a benchmark", operations);
    }

    private static HighWaterMark noMark() {
        return new HighWaterMark() {
            @Override
            public Optional<Head> read() {
                return Optional.empty();
            }

            @Override
            public void remember(Head head) {}
        };
    }

    @Override
    public void close() {
        store.close();
    }
}
