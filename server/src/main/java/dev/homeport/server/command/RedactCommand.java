package dev.homeport.server.command;

import dev.homeport.document.DocumentKey;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.SqlStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code homeport admin redact}: blanks a secret that slipped into an old version of a document. */
@Command(
        name = "redact",
        description = {
            "Blanks one value in one past version of a document; the log still verifies.",
            "The current version cannot be blanked: change the document first. The embedded store must have no server.",
        },
        mixinStandardHelpOptions = true)
final class RedactCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "REVISION", description = "The revision that wrote the value.")
    long revision;

    @Parameters(index = "1", paramLabel = "TYPE/ID", description = "The document, such as cluster/lab-1.")
    String document;

    @Parameters(index = "2", paramLabel = "POINTER", description = "A JSON pointer, such as /patches/app/password.")
    String pointer;

    @Override
    int run(ServerSettings settings, Storage storage) {
        String[] parts = document.split("/", 2);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            return refuse(document + " is not TYPE/ID");
        }
        DocumentKey key = new DocumentKey(parts[0], parts[1]);
        try (SqlStore store = storage.open(Storage.writer())) {
            store.redact(revision, key, pointer);
        } catch (IllegalStateException e) {
            return refuse(e.getMessage());
        }
        out("blanked " + pointer + " of " + key + " in revision " + revision
                + ". Backups and the memory of running servers may still hold it: make a new backup and restart them");
        return DONE;
    }
}
