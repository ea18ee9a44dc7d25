package dev.homeport.server.command;

import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.change.StoreRefused;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.HighWater;
import dev.homeport.store.SqlStore;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.Writer;
import java.time.InstantSource;

/** A store with its writer, for commands that run without a server. */
record StoreSession(SqlStore store, LogFollower follower, Writer writer) implements AutoCloseable {

    /** Takes over the store, which it closes at the end. */
    static StoreSession on(SqlStore store, Storage storage, MasterKey master) {
        InstantSource clock = InstantSource.system();
        LogFollower follower =
                LogFollower.open(store, HighWater.in(storage.data()), System::nanoTime, BuiltInTypes.catalog());
        if (follower.state() instanceof FollowerState.Quarantined quarantined) {
            throw new StoreRefused("nothing can be written in quarantine: " + quarantined.reason()
                    + ". Look at it with `homeport admin accept`");
        }
        Confirmation confirmation = new Confirmation(master.confirmationKey());
        Writer writer = new Writer(store, follower, new Rights(clock), confirmation, ClusterContact.UNKNOWN, clock);
        return new StoreSession(store, follower, writer);
    }

    @Override
    public void close() {
        store.close();
    }
}
