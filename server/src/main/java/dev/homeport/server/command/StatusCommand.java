package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Expiries;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.Observations;
import dev.homeport.observe.PollLog;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.SeenMark;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.StoreSize;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport admin status}: what the store is, how large, and whether a server would answer from it. */
@Command(
        name = "status",
        description = "Show the store's contents and size, and whether it is in quarantine (exit code 1).",
        mixinStandardHelpOptions = true)
final class StatusCommand extends StoreCommand {
    @Option(names = "-o", paramLabel = "FORMAT", description = "text or json (standard: text)")
    String format = "text";

    private static final Duration SWEPT_WITHIN = Duration.ofMinutes(1);
    private static final int SHOWN = 10;

    /** What a server would find. */
    record Found(
            Head head,
            Optional<Head> mark,
            Optional<Head> elsewhere,
            Optional<String> quarantine,
            Optional<QuarantinePolls> refused,
            List<String> overdue) {
        static Found in(Storage storage, SqlStore store) {
            Head head = store.head();
            HighWaterMark own = HighWater.in(storage.data());
            Optional<Head> elsewhere =
                    highest(storage).filter(seen -> seen.storeId().equals(head.storeId()));
            LogFollower follower = LogFollower.open(
                    store, onlyRead(new SeenMark(own, elsewhere)), System::nanoTime, BuiltInTypes.catalog());
            return new Found(
                    head,
                    own.read(),
                    elsewhere,
                    follower.state() instanceof FollowerState.Quarantined quarantined
                            ? Optional.of(quarantined.reason())
                            : Optional.empty(),
                    refusedIn(storage),
                    overdue(follower.live().current(), InstantSource.system().instant()));
        }

        /** What should have been removed by now: the server holds it, or does not run. */
        private static List<String> overdue(Snapshot snapshot, Instant now) {
            String end = Expiries.sortable(now.minus(SWEPT_WITHIN));
            List<String> overdue = new ArrayList<>();
            for (Map.Entry<String, DocumentKey> expiry : snapshot.expiries()) {
                if (expiry.getKey().compareTo(end) >= 0) {
                    break;
                }
                if (isActive(snapshot, expiry.getValue())) {
                    overdue.add(expiry.getValue().toString());
                }
            }
            return overdue;
        }

        /** What has left keeps its dates, and nothing more happens to it. */
        private static boolean isActive(Snapshot snapshot, DocumentKey key) {
            boolean ofCluster = key.type().equals(Types.CLUSTER) || key.type().equals(Types.CLUSTER_LIFE);
            return !ofCluster
                    || ClusterLife.of(snapshot.document(Types.CLUSTER_LIFE, key.id()))
                                    .phase()
                            == ClusterLife.Phase.ACTIVE;
        }
    }

    @Override
    int run(ServerSettings settings, Storage storage) {
        if (!format.equals("text") && !format.equals("json")) {
            return refuse("-o " + format + " is neither text nor json");
        }
        try (SqlStore store = storage.open(Opening.follower())) {
            StoreSize size = store.size(InstantSource.system().instant());
            Found found = Found.in(storage, store);
            if (format.equals("json")) {
                out(json(found, size).toPrettyString());
            } else {
                print(found, size);
                Storage.weakness(settings).ifPresent(why -> out("database     " + why));
            }
            return found.quarantine().isPresent() ? WRONG : DONE;
        }
    }

    private void print(Found found, StoreSize size) {
        out("store        " + found.head().storeId());
        out("head         " + shown(found.head()));
        out("documents    " + size.documents());
        out("log          " + size.commits() + " commits, " + size.changes() + " changes");
        out("size         " + mebibytes(size.bytes()));
        out("last 30 days " + size.recent().commits() + " commits, "
                + size.recent().changes() + " changes, "
                + mebibytes(size.recent().payloadBytes()) + " of documents");
        out("high-water   " + found.mark().map(StatusCommand::shown).orElse("none"));
        out("seen by all  " + found.elsewhere().map(StatusCommand::shown).orElse("unknown"));
        if (!found.overdue().isEmpty()) {
            out("overdue      " + found.overdue().size() + " expiries are held: "
                    + String.join(", ", found.overdue().stream().limit(SHOWN).toList())
                    + (found.overdue().size() > SHOWN ? ", …" : "")
                    + "; status.expiry_held of each says why");
        }
        found.refused().ifPresent(refused -> out("refused      " + refused.shown()));
        out("state        "
                + found.quarantine().map(why -> "quarantine: " + why).orElse("good"));
    }

    private static ObjectNode json(Found found, StoreSize size) {
        ObjectNode json = StrictJson.object()
                .put("store_id", found.head().storeId())
                .put("epoch", found.head().epoch())
                .put("revision", found.head().revision())
                .put("hash", found.head().hash())
                .put("commits", size.commits())
                .put("changes", size.changes())
                .put("bytes", size.bytes());
        ObjectNode documents = json.putObject("documents");
        size.documents().forEach(documents::put);
        json.putObject("last_30_days")
                .put("commits", size.recent().commits())
                .put("changes", size.recent().changes())
                .put("document_bytes", size.recent().payloadBytes());
        found.mark().ifPresent(mark -> put(json.putObject("high_water"), mark));
        found.elsewhere().ifPresent(seen -> put(json.putObject("seen_by_all"), seen));
        ArrayNode overdue = json.putArray("overdue_expiries");
        found.overdue().forEach(overdue::add);
        found.quarantine().ifPresent(why -> json.put("quarantine", why));
        found.refused()
                .ifPresent(refused -> json.put("polls_refused_in_quarantine", refused.count())
                        .put("last_refused_at", refused.last().toString()));
        return json;
    }

    private static void put(ObjectNode node, Head head) {
        node.put("epoch", head.epoch()).put("revision", head.revision()).put("hash", head.hash());
    }

    static String shown(Head head) {
        return "revision " + head.revision() + " of epoch " + head.epoch();
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / 1024.0 / 1024.0);
    }

    private static Optional<Head> highest(Storage storage) {
        try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
            return observed.highest();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<QuarantinePolls> refusedIn(Storage storage) {
        try (Observations observed = storage.observed(Opening.Mode.FOLLOWER)) {
            return QuarantinePolls.in(observed);
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static HighWaterMark onlyRead(HighWaterMark mark) {
        return new HighWaterMark() {
            @Override
            public Optional<Head> read() {
                return mark.read();
            }

            @Override
            public void remember(Head head) {
                // looking must not change what is looked at
            }
        };
    }
}
