package dev.homeport.cli.look;

import dev.homeport.cli.output.Column;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.TextTable;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** {@code homeport explain cluster/NAME [ITEM]}: where each value comes from. */
@Command(
        name = "explain",
        description =
                "Explain every value of a cluster's desired state: the layer and the change that set it, and what it overrides.",
        footer = {"", "Example: homeport explain cluster/payments-prod-00417 cert-manager --field patches.replicaCount"
        })
final class ExplainCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster, as NAME or cluster/NAME.")
    String cluster;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ITEM", description = "One component, namespace, …")
    @Nullable
    String item;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only items of this type.")
    @Nullable
    String type;

    @Option(names = "--field", paramLabel = "PATH", description = "One field and its children.")
    @Nullable
    String field;

    @Option(names = "--as-of", paramLabel = "REVISION|TIME", description = "As it was then.")
    @Nullable
    String asOf;

    @Override
    public Integer call() {
        var client = server.client();
        JsonNode explained = client.get(new Paths(Kind.CLUSTER.path(Reference.cluster(cluster)) + "/explain")
                        .with(
                                "type",
                                type == null ? null : Kind.of(type, client).plural())
                        .with("as_of", asOf)
                        .toString())
                .body();
        onlyWhatWasAsked(explained);
        if (output.isObject()) {
            output.printObject(explained);
            return ExitCodes.DONE;
        }
        TextTable table = new TextTable();
        table.row(List.of("ITEM", "FIELD", "VALUE", "LAYER", "DOCUMENT", "CHANGE", "BY", "REASON"));
        int[] found = {0};
        explained.path("types").forEachEntry((plural, answer) -> {
            if (answer.has("unresolved")) {
                server.process()
                        .err()
                        .println(plural + " are held: "
                                + answer.path("unresolved").asString(""));
            }
            for (JsonNode one : answer.path("items")) {
                found[0] += rows(one, table);
            }
        });
        if (found[0] == 0 && (item != null || field != null)) {
            throw new ExitException(
                    ExitCodes.FAILED, "there is no such value: homeport explain " + cluster + " shows all");
        }
        table.folded(output.room()).forEach(server.process().out()::println);
        return ExitCodes.DONE;
    }

    private void onlyWhatWasAsked(JsonNode explained) {
        for (JsonNode answer : explained.path("types")) {
            if (answer.path("items") instanceof ArrayNode items) {
                items.removeIf(
                        one -> item != null && !one.path("id").asString("").equals(item));
                items.forEach(one -> {
                    if (one.path("values") instanceof ArrayNode values) {
                        values.removeIf(value ->
                                field != null && !isAt(value.path("path").asString(""), field));
                    }
                });
            }
        }
    }

    private int rows(JsonNode one, TextTable table) {
        int rows = 0;
        String id = one.path("id").asString("");
        if (field == null) {
            row(id, "assigned", Column.text(one.path("assigned")), one.path("assigned_by"), table);
            rows++;
        }
        for (JsonNode value : one.path("values")) {
            String path = value.path("path").asString("");
            row(id, path, shown(value.path("value")), value.path("from"), table);
            rows++;
            for (JsonNode other : value.path("instead_of")) {
                row("", "  instead of", shown(other.path("value")), other.path("from"), table);
            }
        }
        return rows;
    }

    /** People write a dot where a path has its one slash: {@code patches.replicaCount}. */
    private static boolean isAt(String path, String asked) {
        String dotted = path.replaceFirst("/", ".");
        String wanted = asked.replaceFirst("/", ".");
        return dotted.equals(wanted) || dotted.startsWith(wanted + ".");
    }

    private static String shown(JsonNode value) {
        return value.isContainer() ? value.toString() : Column.text(value);
    }

    private static void row(String item, String field, String value, JsonNode origin, TextTable table) {
        String expiry = origin.path("expires_at").asString("");
        table.row(List.of(
                item,
                field,
                value,
                origin.path("layer").asString("-"),
                origin.path("document").asString("-"),
                origin.has("revision")
                        ? "ch-" + origin.path("revision").asString("")
                                + (origin.path("or_earlier").asBoolean(false) ? " or earlier" : "")
                        : "-",
                origin.path("author").asString("-"),
                origin.path("reason").asString("") + (expiry.isEmpty() ? "" : " (until " + expiry + ")")));
    }
}
