package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
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
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport compare cluster/a [cluster/b]}: what two clusters are served, or one beside its layers. */
@Command(
        name = "compare",
        description = "Compares what two clusters are served, or one with what it would be without a layer of its own."
                + " Exit code 1: they differ.",
        footer = {"", "Example: homeport compare cluster/a cluster/b"})
final class CompareCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "A cluster, as NAME or cluster/NAME.")
    String first;

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "The other one.")
    @Nullable
    String second;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        DiffText text =
                new DiffText(server.surroundings().out(), server.surroundings().style(false));
        boolean differs = second == null
                ? ownLayer(client, text)
                : two(client, Reference.cluster(first), Reference.cluster(second), text);
        server.surroundings().out().flush();
        return differs ? ExitCodes.DIFFERS : ExitCodes.DONE;
    }

    private boolean ownLayer(HomeportClient client, DiffText text) {
        JsonNode types = client.get(Kind.CLUSTER.path(Reference.cluster(first)) + "/diff")
                .body()
                .path("types");
        types.forEachEntry((type, difference) -> {
            for (String reason : List.of("unresolved", "base_unresolved")) {
                if (difference.has(reason)) {
                    server.surroundings()
                            .err()
                            .println(type + ": " + difference.path(reason).asString(""));
                }
            }
            difference.path("items").forEach(item -> {
                String what = type + "/" + item.path("id").asString("");
                switch (item.path("change").asString("")) {
                    case "added" -> text.added(what);
                    case "removed" -> text.removed(what);
                    default -> {
                        List<JsonDiff.Difference> fields = new ArrayList<>();
                        item.path("fields")
                                .forEach(field -> fields.add(new JsonDiff.Difference(
                                        field.path("pointer").asString(""),
                                        shown(field.path("base")),
                                        shown(field.path("cluster")))));
                        text.changed(what, fields);
                    }
                }
            });
        });
        return !types.isEmpty();
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "" : value.isContainer() ? value.toString() : value.asString("");
    }

    private boolean two(HomeportClient client, String one, String other, DiffText text) {
        boolean differs = false;
        for (JsonNode type : client.get("/api/v2/types").body().path("items")) {
            if (!type.path("part").asString("").equals("item")) {
                continue;
            }
            String plural = type.path("plural").asString("");
            differs |= items(plural, served(client, one, plural), served(client, other, plural), text);
        }
        return differs;
    }

    private static boolean items(String plural, JsonNode before, JsonNode after, DiffText text) {
        Set<String> ids = new TreeSet<>(before.propertyNames());
        ids.addAll(after.propertyNames());
        boolean differs = false;
        for (String id : ids) {
            String what = plural + "/" + id;
            List<JsonDiff.Difference> fields = JsonDiff.of(before.path(id), after.path(id));
            if (!after.has(id)) {
                text.removed(what);
            } else if (!before.has(id)) {
                text.added(what);
            } else if (!fields.isEmpty()) {
                text.changed(what, fields);
            }
            differs |= !fields.isEmpty();
        }
        return differs;
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
