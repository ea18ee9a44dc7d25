package dev.homeport.server.command;

import dev.homeport.change.LogMaintenance;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import picocli.CommandLine.Command;

/** {@code homeport admin verify}: every hash of the log, and the documents against it. */
@Command(
        name = "verify",
        description = "Verify the whole log and compare it with the current documents; servers may keep running.",
        mixinStandardHelpOptions = true)
final class VerifyCommand extends StoreCommand {
    @Override
    int run(ServerSettings settings, Storage storage) {
        try (SqlStore store = storage.open(Opening.follower())) {
            LogMaintenance.Verified found = store.verify(revision -> progress("verified", revision));
            out("good: " + found.commits() + " commits, " + found.changes() + " changes, " + found.documents()
                    + " documents, " + found.redacted() + " redacted");
            return DONE;
        }
    }
}
