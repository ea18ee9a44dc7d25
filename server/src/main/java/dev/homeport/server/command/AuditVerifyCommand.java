package dev.homeport.server.command;

import dev.homeport.server.audit.AuditLines;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.Storage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code homeport admin audit-verify}: whether forwarded audit lines are genuine and complete. */
@Command(
        name = "audit-verify",
        description = {
            "Verify files of forwarded audit lines: each signature, and that no line is missing, changed or out of order.",
            "Give rotated files oldest first. It needs the master key, and the older keys for lines from before a rekey."
        },
        mixinStandardHelpOptions = true)
final class AuditVerifyCommand extends StoreCommand {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files with audit lines, oldest first.")
    List<Path> files = List.of();

    @Override
    int run(ServerSettings settings, Storage storage) throws IOException {
        AuditLines lines = new AuditLines(
                MasterKeyFile.in(storage.data(), settings.keyAccess()).read());
        Optional<AuditLines.Checked> last = Optional.empty();
        Optional<AuditLines.Checked> first = Optional.empty();
        long count = 0;
        for (Path file : files) {
            long number = 0;
            try (BufferedReader reader = Files.newBufferedReader(file)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    number++;
                    Optional<AuditLines.Checked> checked = lines.check(line);
                    if (checked.isEmpty()) {
                        return wrong(
                                file,
                                number,
                                "its signature is not one of this master key: it was changed, or"
                                        + " signed under another key");
                    }
                    Optional<String> gap = gap(last, checked.get());
                    if (gap.isPresent()) {
                        return wrong(file, number, gap.get());
                    }
                    last = checked;
                    first = first.or(() -> checked);
                    count++;
                }
            }
        }
        if (first.isEmpty() || last.isEmpty()) {
            err("there are no lines");
            return WRONG;
        }
        out(count + " lines are genuine and in order, from sequence "
                + first.get().sequence() + " to " + last.get().sequence() + ", up to revision "
                + last.get().revision());
        return DONE;
    }

    private static Optional<String> gap(Optional<AuditLines.Checked> last, AuditLines.Checked now) {
        if (last.isEmpty()) {
            return Optional.empty();
        }
        long expected = last.get().sequence() + 1;
        if (now.sequence() != expected) {
            return Optional.of("its sequence number is " + now.sequence() + " instead of " + expected
                    + ": lines are missing, repeated or out of order");
        }
        return now.previous().equals(last.get().hash())
                ? Optional.empty()
                : Optional.of("it does not follow the line before, which was replaced");
    }

    private int wrong(Path file, long line, String why) {
        err(file + ", line " + line + ": " + why);
        return WRONG;
    }
}
