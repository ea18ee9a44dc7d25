package dev.homeport.server.command;

import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport admin key}: encrypts the master key's file, or decrypts it. */
@Command(
        name = "key",
        description = {
            "Encrypt the master key's file with a passphrase or with a program such as a KMS plugin, or decrypt it.",
            "Afterwards every server needs the same file, and master_key_passphrase_file or master_key_command."
        },
        mixinStandardHelpOptions = true)
final class KeyCommand extends StoreCommand {
    /** The action. */
    enum Action {
        wrap,
        unwrap,
        status
    }

    @Parameters(index = "0", paramLabel = "ACTION", description = "wrap, unwrap or status.")
    Action action = Action.status;

    @Option(names = "--passphrase-file", paramLabel = "FILE", description = "File with the passphrase.")
    @Nullable
    Path passphraseFile;

    @Option(
            names = "--command",
            paramLabel = "PROGRAM",
            description =
                    "Program with arguments, split at spaces and run without a shell. It is called with wrap or unwrap"
                            + " as last argument, gets its input on stdin and prints the result on stdout.")
    @Nullable
    String command;

    @Override
    int run(ServerSettings settings, Storage storage) {
        MasterKeyFile file = MasterKeyFile.in(storage.data(), settings.keyAccess());
        if (!file.exists()) {
            return refuse(file.path() + " does not exist");
        }
        ServerSettings.KeyAccess given = passphraseFile == null && command == null
                ? settings.keyAccess()
                : new ServerSettings.KeyAccess(
                        Optional.ofNullable(passphraseFile),
                        command == null ? List.of() : List.of(command.strip().split("\\s+", -1)));
        if (given.passphraseFile().isPresent() && !given.command().isEmpty()) {
            return refuse("--passphrase-file and --command exclude each other");
        }
        switch (action) {
            case status -> out(file.path() + (file.isWrapped() ? " is wrapped" : " is not wrapped"));
            case wrap -> {
                if (given.equals(ServerSettings.KeyAccess.NONE)) {
                    return refuse("say how: --passphrase-file FILE or --command 'PROGRAM ARGUMENTS'");
                }
                file.wrapWith(given);
                out(file.path() + " is wrapped. Set "
                        + (given.command().isEmpty() ? "master_key_passphrase_file" : "master_key_command")
                        + " on every server, and copy the file there");
            }
            case unwrap -> {
                MasterKeyFile.in(storage.data(), given).unwrap();
                out(file.path() + " is not encrypted any longer: its readers have the hash key of every token");
            }
        }
        return DONE;
    }
}
