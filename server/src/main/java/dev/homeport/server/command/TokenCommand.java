package dev.homeport.server.command;

import dev.homeport.access.MasterKey;
import dev.homeport.access.TokenText;
import dev.homeport.change.StoreRefused;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.FirstToken;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.store.SqlStore;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code homeport admin token}: access for an operator who has the host but no token. */
@Command(
        name = "token",
        description = {
            "Create a token and print it once. The embedded store must have no server: stop it, or use the API.",
            "The log shows it as created by the system."
        },
        mixinStandardHelpOptions = true)
final class TokenCommand extends StoreCommand {
    /** The kinds of subjects here; clusters get their tokens from the API. */
    enum Kind {
        person,
        service
    }

    /** The access that the token gives. */
    enum Access {
        admin,
        reader
    }

    @Option(names = "--kind", description = "${COMPLETION-CANDIDATES} (standard: ${DEFAULT-VALUE})")
    Kind kind = Kind.person;

    @Option(names = "--access", description = "${COMPLETION-CANDIDATES} (standard: ${DEFAULT-VALUE})")
    Access access = Access.admin;

    @Option(names = "--subject", paramLabel = "NAME", description = "The token's subject (standard: ${DEFAULT-VALUE})")
    String subject = "break-glass";

    @Option(
            names = "--print-only",
            description = "Print one without storing it, to be given to a new installation as HOMEPORT_ADMIN_TOKEN.")
    boolean printOnly;

    @Override
    int run(ServerSettings settings, Storage storage) {
        TokenText token = FirstToken.mint(TokenText.Kind.valueOf(kind.name().toUpperCase(Locale.ROOT)));
        if (!printOnly) {
            store(settings, storage, token);
        }
        out(token.reveal());
        return DONE;
    }

    private void store(ServerSettings settings, Storage storage, TokenText token) {
        MasterKeyFile file = MasterKeyFile.in(storage.data(), settings.keyAccess());
        file.read(); // before the store is opened for writing
        try (SqlStore store = storage.open(Storage.writer())) {
            MasterKey master = StoreKey.ofWriter(store, file);
            StoreSession session = StoreSession.on(store, storage, master);
            FirstToken.store(token, subject, access.name(), "made on the host", session.writer(), master);
        } catch (StoreRefused e) {
            throw new StoreRefused(e.getMessage() + ". A running server makes tokens at /api/v2/tokens");
        }
    }
}
