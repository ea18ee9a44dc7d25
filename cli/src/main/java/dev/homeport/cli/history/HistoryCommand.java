package dev.homeport.cli.history;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport history TYPE/NAME}. */
@Command(name = "history", description = "List the changes of a document, newest first.")
final class HistoryCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..*", description = "A type and a name, or TYPE/NAME.")
    List<String> words;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of results; default 100.")
    int limit = 100;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<Reference> named = Reference.all(words, client);
        if (named.size() != 1) {
            throw new UsageProblem("history is of one document: TYPE/NAME");
        }
        List<JsonNode> found = new ArrayList<>();
        Pages pages = client.pages();
        JsonNode page;
        do {
            page = client.get(new Paths(named.getFirst().path() + "/revisions")
                            .with("page_size", Integer.toString(Math.min(limit, 1000)))
                            .with("page_token", pages.token())
                            .toString())
                    .body();
            page.path("items").forEach(found::add);
        } while (pages.goOn(page) && found.size() < limit);
        output.print("change", found.subList(0, Math.min(limit, found.size())), true);
        return ExitCodes.DONE;
    }
}
