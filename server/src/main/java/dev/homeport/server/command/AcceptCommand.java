package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.WireShape;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.PollLog.From;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.snapshot.SnapshotLoader;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code homeport admin accept}: ends a quarantine, for somebody who has seen what that does. */
@Command(
        name = "accept",
        description = {
            "Shows what clusters would be told by the store as it is now; with --yes, takes it as the present.",
            "It counts for every server on the store; those that run serve again by themselves."
        },
        mixinStandardHelpOptions = true)
final class AcceptCommand extends StoreCommand {
    private static final long CACHE = 16L * 1024 * 1024;
    private static final int SHOWN = 20;

    @Option(names = "--yes", description = "Accept what was shown.")
    boolean yes;

    @Override
    int run(ServerSettings settings, Storage storage) {
        try (SqlStore store = storage.open(Opening.operator())) {
            StatusCommand.Found found = StatusCommand.Found.in(storage, store);
            if (found.quarantine().isEmpty()) {
                out("there is no quarantine: " + StatusCommand.shown(found.head()));
                return DONE;
            }
            out("quarantine: " + found.quarantine().get());
            found.mark().ifPresent(mark -> out("seen here:       " + StatusCommand.shown(mark)));
            found.elsewhere().ifPresent(seen -> out("seen elsewhere:  " + StatusCommand.shown(seen)));
            out("the store now:   " + StatusCommand.shown(found.head()));
            show(storage, SnapshotLoader.load(store, BuiltInTypes.catalog()));
            if (!yes) {
                return refuse("nothing is accepted yet; --yes accepts it");
            }
            Head accepted = store.hasState() ? store.accept(found.head()) : found.head();
            HighWater.in(storage.data()).remember(accepted);
            boolean shared = storage.kind() instanceof ServerSettings.Store.Postgres;
            try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
                observed.accept(accepted);
            } catch (StoreUnavailable e) {
                if (shared) {
                    err("other servers cannot be told: " + e.getMessage());
                }
            }
            out("accepted: " + StatusCommand.shown(accepted)
                    + (store.hasState()
                            ? ". Servers on this store serve it within a few seconds"
                            : ". Start the servers of this data folder again"));
            return DONE;
        }
    }

    /** Compares the last answer that each cluster was given with the one it would get. */
    private void show(Storage storage, Snapshot snapshot) {
        List<ObservedPoll> polls;
        try (PollLog observed = storage.observed(Opening.Mode.FOLLOWER)) {
            polls = observed.since(Instant.EPOCH, From.EVERYBODY);
        } catch (StoreUnavailable e) {
            polls = List.of();
        }
        if (polls.isEmpty()) {
            // A server that ran in quarantine leaves an observed store without polls.
            out("unknown: no poll was answered from this store, so it is not recorded what clusters have. Each gets the"
                    + " store's state at its next poll; clusters that are not in the store keep what they have");
            return;
        }
        AnswerBook book = new AnswerBook(new AnswerCache(CACHE));
        Set<String> unknown = new TreeSet<>();
        Set<String> changed = new TreeSet<>();
        Set<String> all = new TreeSet<>();
        for (ObservedPoll poll : polls) {
            all.add(poll.cluster());
            Document cluster = snapshot.document(Types.CLUSTER, poll.cluster());
            TypeDefinition type = snapshot.types().withPlural(poll.type()).orElse(null);
            if (cluster == null || type == null) {
                unknown.add(poll.cluster());
            } else if (poll.status() == 200 && !poll.digest().equals(digest(book, snapshot, cluster, type, poll))) {
                changed.add(poll.cluster());
            }
        }
        out(all.size() + " clusters have polled; " + changed.size() + " would get another answer than their last; "
                + unknown.size() + " are not in the store and would keep what they have");
        changed.stream().limit(SHOWN).forEach(cluster -> out("  other answer: " + cluster));
        unknown.stream().limit(SHOWN).forEach(cluster -> out("  not there:    " + cluster));
    }

    private static String digest(
            AnswerBook book, Snapshot snapshot, Document cluster, TypeDefinition type, ObservedPoll poll) {
        WireShape shape = WireShape.valueOf(poll.shape().toUpperCase(Locale.ROOT));
        return book.look(snapshot, cluster, type, shape) instanceof AnswerBook.Page.Ready ready
                ? ready.entry().digest()
                : "";
    }
}
