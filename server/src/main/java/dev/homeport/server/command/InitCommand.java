package dev.homeport.server.command;

import dev.homeport.access.MasterKey;
import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.FirstToken;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.write.StoreInitializer;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code homeport admin init}: a new store with its master key and first token. */
@Command(name = "init", description = "Create a store; fails if one exists.", mixinStandardHelpOptions = true)
final class InitCommand extends StoreCommand {
    @Override
    int run(ServerSettings settings, Storage storage) {
        Optional<Head> there = present(storage);
        if (there.isPresent()) {
            return refuse("there is a store already: " + there.get().storeId() + " at revision "
                    + there.get().revision());
        }
        boolean asked = settings.initialise() || storage.kind() instanceof ServerSettings.Store.Postgres;
        Opening opening = asked ? Storage.writer().initialising() : Storage.writer();
        SqlStore store = storage.open(opening);
        try {
            MasterKey master =
                    StoreKey.ofNewStore(store, MasterKeyFile.in(storage.data(), settings.keyAccess()), Instant.now());
            found(settings, storage, store, master);
        } finally {
            store.close();
        }
        out("the master key is "
                + MasterKeyFile.in(storage.data(), settings.keyAccess()).path()
                + ": keep a copy apart from the backups, and copy it to every other server");
        return DONE;
    }

    private void found(ServerSettings settings, Storage storage, SqlStore store, MasterKey master) {
        StoreSession session = StoreSession.on(store, storage, master);
        StoreInitializer.initialize(session.writer());
        Optional<FirstToken> first = FirstToken.ensure(settings, session.writer(), session.follower(), store, master);
        storage.observed(Opening.Mode.WRITER).close();
        out("store " + store.head().storeId() + " is made");
        first.ifPresent(
                token -> out("admin token (shown this once): " + token.token().reveal()));
    }

    static Optional<Head> present(Storage storage) {
        try (SqlStore store = storage.open(Opening.follower())) {
            return Optional.of(store.head());
        } catch (StoreRefused e) {
            return Optional.empty(); // whatever else is there, the opening for writing will refuse
        }
    }
}
