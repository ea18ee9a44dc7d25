package dev.homeport.bench.poll;

import dev.homeport.access.Actor;
import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.access.TokenText;
import dev.homeport.bench.core.BulkLoad;
import dev.homeport.bench.core.SampleFleet;
import dev.homeport.change.Change;
import dev.homeport.document.Body;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.HighWater;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.StoreInitializer;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** A process that makes the data folder of a server: the sample fleet, and a token for each of its clusters. */
final class PollFleetBuild {
    private PollFleetBuild() {}

    public static void main(String[] args) {
        Path data = Path.of(args[0]);
        int size = Integer.parseInt(args[1]);
        try (SqlStore store = Stores.sqlite(data, Storage.writer())) {
            MasterKeyFile file = MasterKeyFile.in(data);
            file.addNew(Instant.now());
            MasterKey master = file.read();
            InstantSource clock = InstantSource.system();
            LogFollower follower =
                    LogFollower.open(store, HighWater.in(data), System::nanoTime, BuiltInTypes.catalog());
            Writer writer = new Writer(
                    store,
                    follower,
                    new Rights(clock),
                    new Confirmation(master.confirmationKey()),
                    ClusterContact.UNKNOWN,
                    clock);
            StoreInitializer.initialize(writer);
            writer.write(WriteRequest.of(Actor.SYSTEM, "a benchmark", SampleFleet.shared()));
            BulkLoad.append(store, 0, size, number -> List.of(token(number, master)));
        }
    }

    private static Change token(int number, MasterKey master) {
        TokenText token = FleetTokens.token(number);
        return new Change.Put(
                new DocumentKey(Types.TOKEN, token.id()),
                Body.of(StrictJson.object()
                        .put("id", token.id())
                        .put("kind", "cluster")
                        .put("subject", SampleFleet.clusterId(number))
                        .put("hash", master.hash(token.secret()))));
    }
}
