package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Where something is assigned or pinned: on clusters, or on a layer that many clusters have. */
public final class AssignOptions {
    @Mixin
    public SelectOptions selection;

    @Option(names = "--cluster", paramLabel = "NAME", description = "On this cluster; can be repeated.")
    public List<String> clusters = List.of();

    @Option(
            names = "--to",
            paramLabel = "LAYER",
            description = "On a layer: workspace/NAME, template/NAME or env/NAME; can be repeated.")
    public List<String> layers = List.of();

    public Targets targets(ServerOptions server, HomeportClient client) {
        if (layers.isEmpty()) {
            return Targets.clusters(clusters, selection, server);
        }
        if (!clusters.isEmpty() || !selection.isEmpty()) {
            throw new UsageProblem("give either --to, or clusters");
        }
        List<Reference> named =
                layers.stream().map(layer -> Reference.of(layer, client)).toList();
        return new Targets(named.getFirst().kind(), named, new SelectOptions.Query(Optional.empty(), Optional.empty()));
    }

    public boolean isEmpty() {
        return selection.isEmpty() && clusters.isEmpty() && layers.isEmpty();
    }

    /** A layer's list of references, with one element. */
    public static ObjectNode patch(Kind kind, ObjectNode element) {
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        add(patch, kind, element);
        return patch;
    }

    public static void add(ObjectNode patch, Kind kind, ObjectNode element) {
        switch (kind.name()) {
            case "platform_component" -> patch.withArray("platform_components").add(element);
            case "namespace" -> patch.withArray("namespaces").add(element);
            case "rolebinding" -> patch.withArray("rolebindings").add(element);
            default -> {
                ObjectNode refs = patch.get("refs") instanceof ObjectNode known ? known : patch.putObject("refs");
                refs.withArray(kind.plural()).add(element);
            }
        }
    }

    /** One patch for all of them, on every target. */
    public static ArrayNode operations(Targets targets, ObjectNode patch) {
        ArrayNode operations = targets.operations("merge");
        operations.forEach(one -> ((ObjectNode) one).set("patch", patch));
        return operations;
    }

    /** {@code grafana}, or {@code namespace/monitoring}. */
    public static Reference item(String word, HomeportClient client) {
        return word.contains("/") ? Reference.of(word, client) : new Reference(Kind.COMPONENT, word);
    }

    /** Does nothing if the option was not given. */
    public static ObjectNode put(ObjectNode element, String field, @Nullable String value) {
        return value == null || value.isEmpty() ? element : element.put(field, value);
    }
}
