package dev.homeport.cli.history;

import dev.homeport.api.FileTrouble;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport git-layout DIR --repository URL}. */
@Command(
        name = "git-layout",
        description = "Write the fleet as files for Git: a base with overlays for environments and clusters.")
final class GitLayoutCommand implements Callable<Integer> {
    /** Which branch a cluster follows. */
    enum Layout {
        PATHS,
        BRANCHES
    }

    @Mixin
    ServerOptions server;

    @Parameters(paramLabel = "DIR", description = "Target folder; existing files are overwritten.")
    Path folder;

    @Option(
            names = "--repository",
            required = true,
            paramLabel = "URL",
            description = "Git repository that Flux reads.")
    String repository;

    @Option(names = "--branch", paramLabel = "NAME", description = "The branch of all clusters; default main.")
    String branch = "main";

    @Option(
            names = "--layout",
            paramLabel = "FORM",
            description = "paths: one branch, a path for each cluster; branches: a branch env/… for each environment.")
    Layout layout = Layout.PATHS;

    @Override
    public Integer call() {
        String path = new Paths("/api/v2/export/git")
                .with("repository", repository)
                .with("branch", branch)
                .with("layout", layout.name().toLowerCase(Locale.ROOT))
                .toString();
        JsonNode answer = server.client().get(path).body();
        int count = 0;
        for (JsonNode file : answer.path("files")) {
            write(file.path("path").asString(""), file.path("content").asString(""));
            count++;
        }
        server.process()
                .out()
                .println("wrote " + count + " files, as of revision "
                        + answer.path("revision").asString(""));
        return ExitCodes.DONE;
    }

    private void write(String path, String content) {
        Path file = folder.resolve(path).normalize();
        if (!file.startsWith(folder.normalize())) {
            throw new UsageProblem("the server names a file outside of " + folder + ": " + path);
        }
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written: " + FileTrouble.why(e), e);
        }
    }
}
