package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport admin restore}: a backup becomes the store, in quarantine until somebody accepts it. */
@Command(
        name = "restore",
        description = {
            "Puts a backup in the place of the store, whole or not at all. Servers that write must be stopped.",
            "Afterwards servers answer 503, and clusters keep what they have, until `homeport admin accept`."
        },
        mixinStandardHelpOptions = true)
final class RestoreCommand extends StoreCommand {
    @Parameters(paramLabel = "FILE", description = "A file made by `homeport admin backup`.")
    Path file;

    @Option(names = "--force", description = "Replace the store that is there; without it, show what would be lost.")
    boolean force;

    @Option(names = "--key", paramLabel = "FILE", description = "The master key to use, where there is none yet.")
    @Nullable
    Path key;

    @Override
    int run(ServerSettings settings, Storage storage) throws IOException {
        Head saved = BackupFiles.head(file);
        Optional<Head> there = InitCommand.present(storage);
        try (BackupFiles.Trial trial = BackupFiles.Trial.of(file)) {
            if (there.isPresent()) {
                out("here:   " + StatusCommand.shown(there.get()));
                out("backup: " + StatusCommand.shown(saved));
                try (SqlStore present = storage.open(Opening.follower())) {
                    Losses.between(present, trial.store()).lines().forEach(this::out);
                }
                if (!force) {
                    return refuse("there is a store already; --force replaces it");
                }
            }
        }
        Head restored;
        Opening opening = Opening.writer(saved::storeId).initialising();
        try (SqlStore store = storage.open(opening);
                BufferedReader in = BackupFiles.open(file)) {
            restored = store.restore(in, revision -> progress("restored", revision));
        }
        HighWater mark = HighWater.in(storage.data());
        if (mark.read().isEmpty()) {
            mark.remember(saved); // so that the next start sees that this is a later life of it
        }
        takeKey(storage);
        out("restored: " + StatusCommand.shown(restored) + ". Servers answer 503 until `homeport admin accept`");
        return DONE;
    }

    private void takeKey(Storage storage) {
        MasterKeyFile own = MasterKeyFile.in(storage.data());
        if (key != null && own.exists()) {
            err("there is a master key already, which stays: " + own.path());
        } else if (key != null) {
            own.copyFrom(key);
        } else if (!own.exists()) {
            err("there is no master key: put it at " + own.path() + " before a server is started");
        }
    }
}
