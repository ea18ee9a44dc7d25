package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.Observations;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.PollLog;
import dev.homeport.observe.PollLog.From;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.Storage;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.snapshot.SnapshotLoader;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code homeport admin accept}: ends a quarantine after showing its consequences. */
@Command(
        name = "accept",
        description = {
            "Show what the store as it is now would answer to clusters; with --yes, accept it.",
            "This applies to every server on the store; running servers resume by themselves."
        },
        mixinStandardHelpOptions = true)
final class AcceptCommand extends StoreCommand {
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
                    err("other servers cannot be notified: " + e.getMessage());
                }
            }
            out("accepted: " + StatusCommand.shown(accepted)
                    + (store.hasState()
                            ? ". Servers on this store serve it within a few seconds"
                            : ". Start the servers of this data folder again"));
            return DONE;
        }
    }

    private void show(Storage storage, Snapshot snapshot) {
        List<ObservedPoll> polls = List.of();
        List<GivenAnswer> given = List.of();
        try (Observations observed = storage.observed(Opening.Mode.FOLLOWER)) {
            QuarantinePolls.in(observed).ifPresent(refused -> out("refused:         " + refused.shown()));
            polls = observed.since(Instant.EPOCH, From.EVERYBODY);
            given = observed.given();
        } catch (RuntimeException e) {
            out("what clusters were given cannot be read: " + e.getMessage());
        }
        AcceptReview.of(snapshot, given, polls).lines().forEach(this::out);
    }
}
