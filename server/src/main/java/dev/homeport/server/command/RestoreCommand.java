package dev.homeport.server.command;

import dev.homeport.access.MasterKey;
import dev.homeport.change.Head;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.Observations;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.store.BackupAnswers;
import dev.homeport.store.BackupHeader;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.PrivateFiles;
import dev.homeport.store.SqlStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport admin restore}: a backup becomes the store, in quarantine until an operator accepts it. */
@Command(
        name = "restore",
        description = {
            "Replace the store with a backup, atomically. Servers that write must be stopped.",
            "Afterwards servers answer 503, and clusters keep what they have, until `homeport admin accept`."
        },
        mixinStandardHelpOptions = true)
final class RestoreCommand extends StoreCommand {
    @Parameters(paramLabel = "FILE", description = "A file made by `homeport admin backup`.")
    Path file;

    @Option(names = "--force", description = "Replace the existing store; without it, show what would be lost.")
    boolean force;

    @Option(names = "--key", paramLabel = "FILE", description = "The master key to use if no key exists yet.")
    @Nullable
    Path key;

    /** Everything that may fail is tried before anything is replaced. */
    @Override
    int run(ServerSettings settings, Storage storage) throws IOException {
        BackupHeader header = BackupFiles.header(file);
        Head saved = header.head();
        MasterKeyFile own = MasterKeyFile.in(storage.data(), settings.keyAccess());
        Optional<MasterKeyFile> keys = keys(own);
        if (keys.isPresent() && !fits(keys.get(), header)) {
            return refuse("the master key " + keys.get().path() + " is not the one of the backup, whose tokens would"
                    + " all be refused. Give the key that was kept with the backup with --key"
                    + (own.exists() ? ", after moving " + own.path() + " away" : ""));
        }
        PrivateFiles.createFolder(storage.data());
        Files.delete(Files.createTempFile(storage.data(), "restore", ".tmp"));
        HighWater mark = HighWater.in(storage.data());
        boolean marked = mark.read().isPresent();
        Optional<Head> there = InitCommand.present(storage);
        try (BackupFiles.Trial trial = BackupFiles.Trial.of(file)) {
            if (there.isPresent()) {
                out("here:   " + StatusCommand.shown(there.get()));
                out("backup: " + StatusCommand.shown(saved));
                try (SqlStore present = storage.open(Opening.follower())) {
                    RestoreImpact.between(present, trial.store()).lines().forEach(this::out);
                }
                if (!force) {
                    return refuse("there is a store already; --force replaces it");
                }
            }
        }
        takeKey(own);
        Head restored;
        Opening opening = Opening.writer(saved::storeId).initialising().inQuarantine();
        try (SqlStore store = storage.open(opening);
                BufferedReader in = BackupFiles.open(file)) {
            restored = store.restore(in, revision -> progress("restored", revision));
            restoreGiven(storage, BackupAnswers.read(in).orElse(List.of()));
        }
        if (!marked) {
            mark.remember(saved); // so that a start with this folder sees that this is a later life of it
        }
        out("restored: " + StatusCommand.shown(restored)
                + ". Every server on this store answers 503 until `homeport admin accept`");
        return DONE;
    }

    /** Where the observed store cannot be written, `accept` says of every cluster that it does not know. */
    private void restoreGiven(Storage storage, List<GivenAnswer> given) {
        try (Observations observed = storage.observed(Opening.Mode.WRITER)) {
            observed.restoreGiven(given);
        } catch (RuntimeException e) {
            err("what clusters were given before the backup is not restored: " + e.getMessage());
        }
    }

    /** The key file that servers will use. */
    private Optional<MasterKeyFile> keys(MasterKeyFile own) {
        return own.exists() ? Optional.of(own) : Optional.ofNullable(key).map(own::elsewhere);
    }

    private static boolean fits(MasterKeyFile keys, BackupHeader header) {
        MasterKey master = keys.read();
        return header.masterKey().map(known -> StoreKey.matches(master, known)).orElse(true);
    }

    private void takeKey(MasterKeyFile own) {
        if (key != null && own.exists()) {
            err("there is a master key already, which stays: " + own.path());
        } else if (key != null) {
            own.copyFrom(key);
        } else if (!own.exists()) {
            err("there is no master key: put it at " + own.path() + " before a server is started");
        }
    }
}
