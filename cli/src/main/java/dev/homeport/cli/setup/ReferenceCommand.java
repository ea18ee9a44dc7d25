package dev.homeport.cli.setup;

import dev.homeport.api.FileTrouble;
import dev.homeport.cli.program.RootCommand;
import dev.homeport.cli.reference.ReferencePages;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code homeport reference docs}: writes docs/cli.md and the man pages; a test says when they are old. */
@Command(name = "reference", hidden = true, description = "Write cli.md and the man pages into a folder.")
final class ReferenceCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FOLDER", description = "Target folder.")
    Path folder;

    private final ProcessEnvironment process;

    ReferenceCommand(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        for (Map.Entry<String, String> page :
                ReferencePages.of(RootCommand.whole(process).getCommandSpec()).entrySet()) {
            Path file = folder.resolve(page.getKey());
            try {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, page.getValue());
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be written: " + FileTrouble.why(e), e);
            }
        }
        return ExitCodes.DONE;
    }
}
