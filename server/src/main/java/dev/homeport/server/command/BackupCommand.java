package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.observe.Observations;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport admin backup}: the whole log in one file, tried out before it is given its name. */
@Command(
        name = "backup",
        description = {
            "Write the whole log to a file that every store can restore; servers may keep running.",
            "The file holds tokens as keyed hashes only, and never the master key."
        },
        mixinStandardHelpOptions = true)
final class BackupCommand extends StoreCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "File to create, compressed JSON lines; it must not exist. None: standard output.")
    @Nullable
    Path named;

    @Option(
            names = "--with-key",
            description = "Copy the master key to FILE.key; keep it in another place than the backup.")
    boolean withKey;

    @Override
    int run(ServerSettings settings, Storage storage) throws IOException {
        Path file = named;
        if (file == null) {
            return withKey ? refuse("--with-key needs the name of a file") : print(storage);
        }
        Path key = file.resolveSibling(file.getFileName() + ".key");
        if (Files.exists(file) || withKey && Files.exists(key)) {
            return refuse(file + " exists already");
        }
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.deleteIfExists(unfinished);
        Head head;
        try {
            try (SqlStore store = storage.open(Opening.follower())) {
                head = BackupFiles.write(store, given(storage), unfinished, revision -> progress("saved", revision));
            }
            BackupFiles.Trial.of(unfinished).close();
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        if (withKey) {
            MasterKeyFile.in(storage.data(), settings.keyAccess()).copyTo(key);
            out(key + " holds the master key: keep it apart from " + file);
        }
        out(file + " holds " + shown(head, file));
        return DONE;
    }

    /** Verified before it is printed: the reader gets all of it or nothing. */
    private int print(Storage storage) throws IOException {
        Path folder = Files.createTempDirectory("homeport-backup");
        Path unfinished = folder.resolve("unfinished");
        try {
            Head head;
            try (SqlStore store = storage.open(Opening.follower())) {
                head = BackupFiles.write(store, given(storage), unfinished, revision -> progress("saved", revision));
            }
            BackupFiles.Trial.of(unfinished).close();
            Files.copy(unfinished, System.out);
            System.out.flush();
            err("saved " + shown(head, unfinished));
            return System.out.checkError() ? WRONG : DONE;
        } finally {
            Files.deleteIfExists(unfinished);
            Files.deleteIfExists(folder);
        }
    }

    /** What clusters were given is worth having after a restore; a backup is made without it where it cannot be read. */
    private List<GivenAnswer> given(Storage storage) {
        try (Observations observed = storage.observed(Opening.Mode.FOLLOWER)) {
            return observed.given();
        } catch (RuntimeException e) {
            err("the backup does not say what clusters were given, the observed store cannot be read: "
                    + e.getMessage());
            return List.of();
        }
    }

    private static String shown(Head head, Path file) throws IOException {
        return "store " + head.storeId() + ", " + StatusCommand.shown(head) + ", " + Files.size(file)
                + " bytes; it was restored once to try it";
    }
}
