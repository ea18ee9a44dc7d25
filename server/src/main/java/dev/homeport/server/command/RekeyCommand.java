package dev.homeport.server.command;

import dev.homeport.access.StoredToken;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.snapshot.SnapshotLoader;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code homeport admin rekey}: a new master key, with the old one still recognised until it is forgotten. */
@Command(
        name = "rekey",
        description = {
            "Create a new master key; tokens of the old key keep working until it is removed.",
            "Copy the file to every server and restart those that only read first: they must know the new key before"
                    + " tokens are made with it."
        },
        mixinStandardHelpOptions = true)
final class RekeyCommand extends StoreCommand {
    @Option(names = "--forget-old", description = "End the overlap: keep only the newest key.")
    boolean forgetOld;

    @Option(names = "--force", description = "Remove old keys even if tokens of them stop working.")
    boolean force;

    @Option(names = "--lost", description = "The key is lost: create one; every token must be created again.")
    boolean lost;

    @Override
    int run(ServerSettings settings, Storage storage) {
        MasterKeyFile file = MasterKeyFile.in(storage.data(), settings.keyAccess());
        try (SqlStore store = storage.open(Opening.operator())) {
            if (lost) {
                return replace(store, file);
            }
            if (!file.exists()) {
                return refuse(file.path() + " is missing; if it is lost for good, --lost makes a new one");
            }
            StoreKey.ofReader(store, file);
            return forgetOld ? forget(storage, store, file) : add(file);
        }
    }

    private int add(MasterKeyFile file) {
        file.addNew(Instant.now());
        out(file.path() + " has " + file.count() + " keys, the newest first. Copy it to every server and restart them;"
                + " replace the tokens, then `homeport admin rekey --forget-old`");
        return DONE;
    }

    private int forget(Storage storage, SqlStore store, MasterKeyFile file) {
        if (file.count() == 1) {
            out("there is one key only");
            return DONE;
        }
        List<String> old = madeBefore(storage, file.newestMadeAt());
        old.forEach(token -> out("made under an old key: " + token));
        if (!old.isEmpty() && !force) {
            return refuse(old.size() + " live tokens would stop working: replace or revoke them, or --force");
        }
        // The store first: a crash in between leaves a file that has the store's key and an older one, which fits.
        if (store.hasState()) {
            StoreKey.ofWriter(store, file);
        }
        file.forgetOlder();
        out(file.path() + " has one key. Copy it to every server and restart them");
        return DONE;
    }

    /** The file first: a crash in between leaves a file that does not fit, and the same command with --force goes on. */
    private int replace(SqlStore store, MasterKeyFile file) {
        if (file.exists()
                && store.masterKey()
                        .map(known -> StoreKey.matches(file.read(), known))
                        .orElse(true)) {
            return refuse(file.path() + " is there and not lost");
        }
        if (file.exists() && !force) {
            return refuse(
                    file.path() + " is not the key of this store. --lost --force makes the store take it, and every"
                            + " token has to be made again");
        }
        if (!file.exists()) {
            file.addNew(Instant.now());
        }
        if (store.hasState()) {
            store.replaceMasterKey(file.read().fingerprints().getFirst());
        }
        out(file.path() + " is the key of this store now. Copy it to every server and restart them; make every token"
                + " again, the first one with `homeport admin token`");
        return DONE;
    }

    /** A token's document is written once with its hash, so one written before the key was made is under another. */
    private static List<String> madeBefore(Storage storage, Instant keyMade) {
        Instant now = Instant.now();
        List<String> old = new ArrayList<>();
        try (SqlStore store = storage.open(Opening.follower())) {
            for (Document token : SnapshotLoader.load(store, BuiltInTypes.catalog())
                    .all(Types.TOKEN)
                    .values()) {
                StoredToken stored = StoredToken.of(token);
                boolean live = !stored.revoked()
                        && (stored.expiresAt() == null || stored.expiresAt().isAfter(now));
                if (live && token.created().at().isBefore(keyMade)) {
                    old.add(token.id() + " of " + stored.kind() + " " + stored.subject());
                }
            }
        }
        return old;
    }
}
