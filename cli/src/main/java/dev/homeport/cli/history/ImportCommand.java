package dev.homeport.cli.history;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code homeport import -f FILE}. */
@Command(
        name = "import",
        description = "Create or replace every document of an export, in one change.",
        footer = {"", "With --prune, everything that the export does not have is removed, in the whole fleet."})
final class ImportCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE|-",
            description = "An export, YAML or JSON.")
    String file;

    @Option(names = "--prune", description = "Remove documents that are not in the export.")
    boolean prune;

    @Override
    public Integer call() {
        String text = file.equals("-")
                ? server.process().readAll()
                : DocumentFiles.text(server.process().file(file));
        String type = text.stripLeading().startsWith("{") ? "application/json" : "application/yaml";
        return write.run(
                server,
                new WriteRequest(
                                "POST",
                                "/api/v2/import",
                                Map.of(),
                                Optional.of(new HomeportClient.Payload(type, text.getBytes(StandardCharsets.UTF_8))))
                        .asking("prune", prune ? "true" : ""));
    }
}
