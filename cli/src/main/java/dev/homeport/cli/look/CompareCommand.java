package dev.homeport.cli.look;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.output.DiffText;
import dev.homeport.cli.output.JsonDiff;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Failures;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport compare cluster/a [cluster/b]}: what two clusters are served, or one beside its layers. */
@Command(
        name = "compare",
        description = "Compare the desired state of two clusters, or of one with and without its own layer."
                + " Exit code 0: equal, 1: different, 2: error.",
        footer = {"", "Example: homeport compare cluster/a cluster/b"})
final class CompareCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster, as NAME or cluster/NAME.")
    String first;

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "The other one.")
    @Nullable
    String second;

    @Override
    public Integer call() {
        try {
            return compare();
        } catch (ApiProblem | ServerUnreachable e) {
            // 1 means that they differ, and nothing else.
            new Failures(server.process()).print(e);
            return ExitCodes.USAGE;
        }
    }

    private int compare() {
        HomeportClient client = server.client();
        JsonNode compared = second == null
                ? client.get(Kind.CLUSTER.path(Reference.cluster(first)) + "/diff")
                        .body()
                : two(client, Reference.cluster(first), Reference.cluster(second));
        if (output.isObject()) {
            output.printObject(compared);
        } else {
            print(compared.path("types"));
        }
        return compared.path("types").isEmpty() ? ExitCodes.DONE : ExitCodes.DIFFERS;
    }

    private void print(JsonNode types) {
        DiffText text = new DiffText(server.process().out(), server.process().style(false));
        types.forEachEntry((type, difference) -> {
            for (String reason : List.of("unresolved", "base_unresolved")) {
                if (difference.has(reason)) {
                    server.process()
                            .err()
                            .println(type + ": " + difference.path(reason).asString(""));
                }
            }
            difference.path("items").forEach(item -> {
                String what = type + "/" + item.path("id").asString("");
                switch (item.path("change").asString("")) {
                    case "added" -> text.added(what);
                    case "removed" -> text.removed(what);
                    default ->
                        text.changed(
                                what,
                                second == null ? fields(item) : JsonDiff.of(item.path("first"), item.path("second")));
                }
            });
        });
        server.process().out().flush();
    }

    private static List<JsonDiff.Difference> fields(JsonNode item) {
        List<JsonDiff.Difference> fields = new ArrayList<>();
        item.path("fields")
                .forEach(field -> fields.add(new JsonDiff.Difference(
                        field.path("pointer").asString(""), shown(field.path("base")), shown(field.path("cluster")))));
        return fields;
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "" : value.isContainer() ? value.toString() : value.asString("");
    }

    /** In the form in which the server compares one with its layers. */
    private static JsonNode two(HomeportClient client, String one, String other) {
        ObjectNode compared =
                JsonMapper.shared().createObjectNode().put("first", one).put("second", other);
        ObjectNode types = compared.putObject("types");
        for (JsonNode type : client.get("/api/v2/types").body().path("items")) {
            if (!type.path("part").asString("").equals("item")) {
                continue;
            }
            String plural = type.path("plural").asString("");
            ArrayNode items = items(served(client, one, plural), served(client, other, plural));
            if (!items.isEmpty()) {
                types.putObject(plural).set("items", items);
            }
        }
        return compared;
    }

    private static ArrayNode items(JsonNode before, JsonNode after) {
        ArrayNode items = JsonMapper.shared().createArrayNode();
        Set<String> ids = new TreeSet<>(before.propertyNames());
        ids.addAll(after.propertyNames());
        for (String id : ids) {
            List<JsonDiff.Difference> fields = JsonDiff.of(before.path(id), after.path(id));
            if (fields.isEmpty()) {
                continue;
            }
            ObjectNode item = items.addObject().put("id", id);
            item.put("change", !after.has(id) ? "removed" : before.has(id) ? "changed" : "added");
            if (before.has(id)) {
                item.set("first", before.path(id));
            }
            if (after.has(id)) {
                item.set("second", after.path(id));
            }
            if (before.has(id) && after.has(id)) {
                fields.forEach(field -> item.withArrayProperty("paths").add(field.path()));
            }
        }
        return items;
    }

    /** By id, and without what says which cluster it is. */
    private static JsonNode served(HomeportClient client, String cluster, String plural) {
        JsonNode payload =
                client.get(Kind.CLUSTER.path(cluster) + "/payload/" + plural).body();
        ObjectNode byId = JsonMapper.shared().createObjectNode();
        if (payload.path("poll_status").asInt(0) != 200) {
            return byId.put("held", payload.path("hold").asString("detached"));
        }
        JsonMapper.shared()
                .readTree(payload.path("body").asString("{}"))
                .path("inputs")
                .forEach(input -> {
                    ObjectNode item = (ObjectNode) input.deepCopy();
                    item.remove("cluster");
                    byId.set(item.path("id").asString(""), item);
                });
        return byId;
    }
}
