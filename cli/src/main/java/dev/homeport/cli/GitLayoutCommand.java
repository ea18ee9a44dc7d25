package dev.homeport.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code homeport git-layout DIR --repository URL}. */
@Command(
        name = "git-layout",
        description = "Writes the fleet as files for Git: a base, environments and clusters over it.")
final class GitLayoutCommand implements Callable<Integer> {
    /** Which branch a cluster follows. */
    enum Layout {
        PATHS,
        BRANCHES
    }

    @Mixin
    ServerOptions server;

    @Parameters(paramLabel = "DIR", description = "Where the files go; what is there already is written over.")
    Path folder;

    @Option(names = "--repository", required = true, paramLabel = "URL", description = "Where Flux finds the files.")
    String repository;

    @Option(names = "--branch", paramLabel = "NAME", description = "The branch of all clusters; default main.")
    String branch = "main";

    @Option(
            names = "--layout",
            paramLabel = "FORM",
            description = "paths: one branch, a path for each cluster; branches: a branch env/… for each environment.")
    Layout layout = Layout.PATHS;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        JsonNode answer = server.client()
                .get("/api/v2/export/git?repository=" + GetCommand.encoded(repository) + "&branch="
                        + GetCommand.encoded(branch) + "&layout="
                        + layout.name().toLowerCase(Locale.ROOT))
                .body();
        int count = 0;
        for (JsonNode file : answer.path("files")) {
            write(file.path("path").asString(""), file.path("content").asString(""));
            count++;
        }
        spec.commandLine()
                .getOut()
                .println("wrote " + count + " files, as of revision "
                        + answer.path("revision").asString(""));
        spec.commandLine().getOut().flush();
        return 0;
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
            throw new UncheckedIOException(file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
