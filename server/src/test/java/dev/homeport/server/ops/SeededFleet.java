package dev.homeport.server.ops;

import dev.homeport.access.Actor;
import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.access.TokenText;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.storage.FirstToken;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.HighWater;
import dev.homeport.store.SqlStore;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import dev.homeport.write.Writer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes to a store that exists, as a server would; clusters are c0, c1, … and each has a token. */
final class SeededFleet implements AutoCloseable {
    private final SqlStore store;
    private final MasterKey master;
    private final LogFollower follower;
    private final Writer writer;

    private SeededFleet(Storage storage) {
        InstantSource clock = InstantSource.system();
        this.store = storage.open(Storage.writer());
        this.master = MasterKeyFile.in(storage.data()).read();
        this.follower = LogFollower.open(store, HighWater.in(storage.data()), System::nanoTime, BuiltInTypes.catalog());
        this.writer = new Writer(
                store,
                follower,
                new Rights(clock),
                new Confirmation(master.confirmationKey()),
                ClusterContact.UNKNOWN,
                clock);
    }

    static SeededFleet in(Storage storage) {
        return new SeededFleet(storage);
    }

    static Storage storage(String... flags) {
        Map<String, String> given = new java.util.HashMap<>();
        for (int i = 0; i < flags.length; i += 2) {
            given.put(flags[i], flags[i + 1]);
        }
        return Storage.of(ServerSettings.of(SettingSources.read(given, Map.of(), Optional.empty())));
    }

    /** Makes one component and this many clusters with it; returns their tokens. */
    List<String> clusters(int count) {
        List<Operation> operations = new ArrayList<>();
        operations.add(create(Types.PLATFORM_COMPONENT, "podinfo", """
                {"component_path": "apps/podinfo/1.0.0", "component_version": "1.0.0", "kind": "helm",
                 "oci_url": "oci://registry.example.com/platform/podinfo", "oci_tag": "v1.0.0"}"""));
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = "c" + i;
            operations.add(create(Types.CLUSTER, id, """
                    {"cluster_name": "%1$s", "cluster_dns": "%1$s.k8s.example.com", "environment": "dev",
                     "owner": "team-a", "platform_components": [{"id": "podinfo"}]}""".formatted(id)));
            TokenText token = FirstToken.mint(TokenText.Kind.CLUSTER);
            operations.add(new Operation.Create(
                    new DocumentKey(Types.TOKEN, token.id()),
                    StrictJson.object()
                            .put("id", token.id())
                            .put("kind", "cluster")
                            .put("subject", id)
                            .put("hash", master.hash(token.secret()))));
            tokens.add(token.reveal());
        }
        write(operations.toArray(Operation[]::new));
        return tokens;
    }

    void write(Operation... operations) {
        writer.write(WriteRequest.of(Actor.SYSTEM, "a test", operations));
    }

    static Operation create(String type, String id, String json) {
        return new Operation.Create(new DocumentKey(type, id), StrictJson.read(json));
    }

    LogFollower follower() {
        return follower;
    }

    MasterKey master() {
        return master;
    }

    SqlStore store() {
        return store;
    }

    static String path(int cluster) {
        return "/api/v2/flux/clusters/c" + cluster + ".k8s.example.com/platform-components";
    }

    @Override
    public void close() {
        store.close();
    }
}
