package dev.homeport.server.command;

import dev.homeport.access.Actor;
import dev.homeport.change.RedactionRequest;
import dev.homeport.document.DocumentKey;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.Storage;
import dev.homeport.store.SqlStore;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport admin redact}: blanks a secret that slipped into the log. */
@Command(
        name = "redact",
        description = {
            "Redact one value in the log, which still verifies, and record in a commit who did it and why.",
            "The current version of a document cannot be redacted: change the document first. The embedded store must have"
                    + " no server.",
        },
        mixinStandardHelpOptions = true)
final class RedactCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "REVISION", description = "The revision that wrote the value.")
    long revision;

    @Parameters(
            index = "1",
            paramLabel = "TYPE/ID",
            description = "The document, such as cluster/lab-1, or the word commit.")
    String document;

    @Parameters(
            index = "2",
            paramLabel = "POINTER",
            description = {
                "A JSON pointer, such as /patches/app/password.",
                "Of a commit: /reason, /actor, /request_id or /marks/NAME.",
            })
    String pointer;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, without the value.")
    String reason;

    @Override
    int run(ServerSettings settings, Storage storage) {
        String[] parts = document.split("/", 2);
        boolean ofCommit = document.equals("commit");
        if (!ofCommit && (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty())) {
            return refuse(document + " is neither TYPE/ID nor the word commit");
        }
        Optional<DocumentKey> key = ofCommit ? Optional.empty() : Optional.of(new DocumentKey(parts[0], parts[1]));
        Actor operator = new Actor(Actor.Kind.PERSON, "operator:" + System.getProperty("user.name", "unknown"));
        try (SqlStore store = storage.open(Storage.writer())) {
            store.redact(new RedactionRequest(
                    revision,
                    key,
                    pointer,
                    operator,
                    reason,
                    InstantSource.system().instant()));
        } catch (IllegalStateException e) {
            return refuse(e.getMessage());
        }
        out("blanked " + pointer + " of " + document + " in revision " + revision
                + ". Backups and the memory of running servers may still hold it: make a new backup and restart them");
        return DONE;
    }
}
