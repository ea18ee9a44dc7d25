package dev.homeport.cli.change;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.output.DiffText;
import dev.homeport.cli.output.JsonDiff;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.Failures;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.write.DocumentFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code homeport diff -f FILE|DIR|-}: what apply would change in documents. */
@Command(
        name = "diff",
        description = "Show what apply would change. Exit code 0: nothing, 1: something, 2: error.",
        footer = {"", "Example: homeport diff -f fleet/ || homeport apply -f fleet/"})
final class DiffCommand implements Callable<Integer> {
    /** From so many documents of a type on, the whole list is cheaper than one after the other. */
    private static final int MANY = 20;

    @Mixin
    ServerOptions server;

    @Mixin
    SelectOptions selection;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE|DIR|-",
            description = "YAML or JSON, several documents.")
    List<String> files;

    @Option(
            names = "--prune",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Also show what apply --prune would remove.")
    boolean prune;

    private final Map<String, Map<String, JsonNode>> lists = new HashMap<>();

    @Override
    public Integer call() {
        try {
            return compare() ? ExitCodes.DIFFERS : ExitCodes.DONE;
        } catch (ApiProblem | ServerUnreachable e) {
            // 1 means that something differs, and nothing else.
            new Failures(server.process()).print(e);
            return ExitCodes.USAGE;
        }
    }

    private boolean compare() {
        List<DocumentFiles.Entry> entries = new DocumentFiles(server.process()).read(files);
        HomeportClient client = server.client();
        DiffText text = new DiffText(server.process().out(), server.process().style(false));
        boolean differs = false;
        Map<String, Integer> counts = new HashMap<>();
        entries.forEach(entry -> counts.merge(entry.type(), 1, Integer::sum));
        for (DocumentFiles.Entry entry : entries) {
            Kind kind = Kind.of(entry.type(), client);
            Reference reference = new Reference(kind, entry.id());
            Optional<JsonNode> there = counts.getOrDefault(entry.type(), 0) > MANY
                    ? Optional.ofNullable(list(client, kind).get(entry.id()))
                    : reference.find(client);
            if (there.isEmpty()) {
                text.added(reference.toString());
                differs = true;
            } else {
                List<JsonDiff.Difference> fields =
                        JsonDiff.of(withoutId(there.get().path("spec")), withoutId(entry.spec()));
                if (!fields.isEmpty()) {
                    text.changed(reference.toString(), fields);
                    differs = true;
                }
            }
        }
        if (prune) {
            for (Reference gone : Leftovers.of(entries, client, selection, server)) {
                text.removed(gone.toString());
                differs = true;
            }
        }
        return differs;
    }

    /** The id stands beside the spec as well, and may be left out in it. */
    private static JsonNode withoutId(JsonNode spec) {
        tools.jackson.databind.node.ObjectNode copy = ((tools.jackson.databind.node.ObjectNode) spec).deepCopy();
        copy.remove("id");
        return copy;
    }

    private Map<String, JsonNode> list(HomeportClient client, Kind kind) {
        return lists.computeIfAbsent(kind.plural(), plural -> {
            Map<String, JsonNode> byId = new HashMap<>();
            SelectOptions.all(
                            client, kind, new SelectOptions.Query(Optional.empty(), Optional.empty()), Optional.empty())
                    .forEach(document -> byId.put(document.path("id").asString(""), document));
            return byId;
        });
    }
}
