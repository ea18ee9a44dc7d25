package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code homeport delete TYPE NAME…}. */
@Command(
        name = "delete",
        description = "Delete documents; clusters are decommissioned.",
        footer = {"", "What others still refer to is refused, with a list of who does."})
final class DeleteCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    SelectOptions selection;

    @Parameters(paramLabel = "TYPE [NAME…]", arity = "1..*", description = "A type and names, or TYPE/NAME.")
    List<String> words;

    @Option(names = "--if-match", paramLabel = "ETAG", description = "Only if the document is still this version.")
    @Nullable
    String ifMatch;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        Targets targets = Targets.of(words, selection, server, client);
        if (targets.named().size() == 1) {
            Reference only = targets.named().getFirst();
            return write.run(
                    server,
                    new WriteRequest("DELETE", only.path(), Map.of(), Optional.empty())
                            .with("If-Match", Optional.of(ifMatch == null ? "*" : ifMatch)));
        }
        if (ifMatch != null) {
            throw new UsageProblem("--if-match is for one document: name it as TYPE/NAME");
        }
        return write.run(server, WriteRequest.change(targets.operations("delete")));
    }
}
