package dev.homeport.demo;

import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.access.TokenText;
import dev.homeport.api.PrivateFile;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollBatch;
import dev.homeport.server.storage.FirstToken;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.sim.Identity;
import dev.homeport.sim.IdentityFile;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.HighWater;
import dev.homeport.store.ObservedStore;
import dev.homeport.store.ObservedStores;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.Operation;
import dev.homeport.write.StoreInitializer;
import dev.homeport.write.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Makes the store of a new demo, and the secrets of its clusters. */
final class DemoSeed {
    private static final List<String> POLLED = List.of("namespaces", "platform-components", "rolebindings");
    private static final List<Duration> SILENT_FOR = List.of(Duration.ofHours(3), Duration.ofHours(26));

    private final DemoFolder folder;
    private final DemoFolder.Size size;
    private final Instant now;

    DemoSeed(DemoFolder folder, DemoFolder.Size size, Instant now) {
        this.folder = folder;
        this.size = size;
        this.now = now;
    }

    void make() {
        folder.clear();
        List<DemoCluster> clusters = DemoCluster.all(size.clusters());
        MovingClock clock = new MovingClock(DemoHistory.begin(now));
        try (SqlStore store = Stores.sqlite(folder.data(), Storage.writer())) {
            MasterKeyFile keys = MasterKeyFile.in(folder.data());
            keys.addNew(clock.instant());
            MasterKey master = keys.read();
            LogFollower follower =
                    LogFollower.open(store, HighWater.in(folder.data()), System::nanoTime, BuiltInTypes.catalog());
            Writer writer = new Writer(
                    store,
                    follower,
                    new Rights(clock),
                    new Confirmation(master.confirmationKey()),
                    ClusterContact.UNKNOWN,
                    clock);
            StoreInitializer.initialize(writer);
            TokenText admin = FirstToken.mint(TokenText.Kind.PERSON);
            FirstToken.store(admin, "you", "admin", "the demo's", writer, master);
            Map<String, TokenText> tokens = new HashMap<>();
            Map<String, Long> made = new DemoHistory(writer, clock, now)
                    .write(clusters, size.poll() + "s", cluster -> token(cluster, tokens, master));
            List<Identity> identities = new ArrayList<>();
            // Problem clusters first, so that a user sees them at once.
            Stream<DemoCluster> edgeFirst = Stream.concat(
                    clusters.stream().filter(DemoCluster::isEdge),
                    clusters.stream().filter(cluster -> !cluster.isEdge()));
            edgeFirst.forEach(cluster -> identities.add(new Identity(
                    cluster.id(),
                    cluster.dns(),
                    Objects.requireNonNull(tokens.get(cluster.id())).reveal(),
                    master.eventKey(cluster.id(), Objects.requireNonNull(made.get(cluster.id()))),
                    cluster.kubernetes())));
            lastHeard(clusters, store);
            IdentityFile.write(folder.identities(), identities);
            PrivateFile.write(folder.adminToken(), admin.reveal() + "\n");
        }
        folder.write(size);
    }

    private static Operation token(DemoCluster cluster, Map<String, TokenText> tokens, MasterKey master) {
        TokenText token = FirstToken.mint(TokenText.Kind.CLUSTER);
        tokens.put(cluster.id(), token);
        return new Operation.Create(
                new DocumentKey(Types.TOKEN, token.id()),
                StrictJson.object()
                        .put("id", token.id())
                        .put("kind", TokenText.Kind.CLUSTER.word())
                        .put("subject", cluster.id())
                        .put("label", "adopted")
                        .put("hash", master.hash(token.secret())));
    }

    /** Those that are silent were there once. */
    private void lastHeard(List<DemoCluster> clusters, SqlStore store) {
        List<ObservedPoll> polls = new ArrayList<>();
        int number = 0;
        for (DemoCluster cluster : clusters) {
            if (cluster.habit() == DemoCluster.Habit.SILENT) {
                Instant at = now.minus(SILENT_FOR.get(number++ % SILENT_FOR.size()));
                for (String type : POLLED) {
                    polls.add(new ObservedPoll(
                            cluster.id(), type, at, at, 200, "", 1, "set", "flux-operator/v0.58.1", "127.0.0.1"));
                }
            }
        }
        try (ObservedStore observed = ObservedStores.sqlite(folder.data(), Opening.Mode.WRITER, "demo")) {
            Set<String> served = new java.util.TreeSet<>();
            polls.forEach(poll -> served.add(poll.cluster()));
            observed.save(new PollBatch(polls, served, store.head()));
        }
    }
}
