package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.FacetText;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.NameCache;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport get TYPE [NAME…]} or {@code TYPE/NAME}. */
@Command(
        name = "get",
        description = "List documents of a type, or show some of them.",
        footer = {
            "",
            "Examples:",
            "  homeport get clusters -l env=prod --filter 'labels.region:eu' -o wide",
            "  homeport get clusters --watch --columns name,state,next-poll",
            "  homeport get cluster eu-prod-1 -o yaml | homeport apply -f -"
        })
final class GetCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    SelectOptions selection;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "TYPE [NAME…]", arity = "1..*", description = "A type and names, or TYPE/NAME.")
    List<String> words;

    @Option(names = "--as-of", paramLabel = "REVISION|TIME", description = "As it was then.")
    @Nullable
    String asOf;

    @Option(
            names = {"-w", "--watch"},
            description = "Keep running and print changes.")
    boolean watch;

    @Option(
            names = "--facets",
            paramLabel = "FIELD,…",
            description = "Count the values of these fields instead of listing documents.")
    @Nullable
    String facets;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        output.standard(server.setting("output"));
        List<Reference> named = Reference.all(words, client);
        Kind kind = named.isEmpty()
                ? Kind.of(words.getFirst(), client)
                : named.getFirst().kind();
        if (!named.isEmpty() && !selection.isEmpty()) {
            throw new UsageProblem("names and a selection together are too much: give one of them");
        }
        if (watch && asOf != null) {
            throw new UsageProblem("the past does not change: leave out --watch or --as-of");
        }
        SelectOptions.Query query = named.isEmpty()
                ? selection.query(kind, server)
                : new SelectOptions.Query(Optional.empty(), Optional.empty());
        if (facets != null) {
            return facets(client, kind, query);
        }
        if (watch) {
            return new Watching(client, server.process(), output).follow(kind, query, named);
        }
        if (named.isEmpty()) {
            List<JsonNode> all = list(client, kind, query);
            if (query.isEmpty() && asOf == null) {
                new NameCache(server).keep(kind, all);
            }
            output.print(kind.name(), all, true);
            if (all.isEmpty() && output.isTable()) {
                server.process().err().println(query.isEmpty() ? "none found" : "no match");
            }
        } else {
            List<JsonNode> found = new ArrayList<>();
            named.forEach(one -> found.add(
                    client.get(new Paths(one.path()).with("as_of", asOf).toString())
                            .body()));
            output.print(kind.name(), found, found.size() != 1);
        }
        return ExitCodes.DONE;
    }

    private List<JsonNode> list(HomeportClient client, Kind kind, SelectOptions.Query query) {
        if (kind.equals(Kind.CHANGE) || kind.name().equals("type")) {
            if (!query.isEmpty()) {
                throw new UsageProblem(
                        kind.equals(Kind.CHANGE) ? "use homeport audit to search changes" : "types have no labels");
            }
            List<JsonNode> found = new ArrayList<>();
            client.get(new Paths(kind.path()).with("as_of", asOf).toString())
                    .body()
                    .path("items")
                    .forEach(found::add);
            return found;
        }
        return SelectOptions.all(client, kind, query, Optional.ofNullable(asOf));
    }

    private int facets(HomeportClient client, Kind kind, SelectOptions.Query query) {
        JsonNode page = client.get(new Paths(kind.path())
                        .with("page_size", "1")
                        .with("label_selector", query.labels())
                        .with("filter", query.filter())
                        .with("as_of", asOf)
                        .with("facets", facets)
                        .flag("counts", true)
                        .toString())
                .body();
        if (!output.isTable()) {
            output.printObject(page.path("facets"));
            return ExitCodes.DONE;
        }
        FacetText.print(page, output.withHeaders(), server.process().out());
        return ExitCodes.DONE;
    }
}
