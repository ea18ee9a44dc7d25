package dev.homeport.fleet;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/** Turns a resolution into an answer: adds the cluster's lifecycle and the proofs for emptiness. */
public final class Answers {
    private Answers() {}

    public static Answer of(FleetView view, Document document, TypeDefinition type) {
        try {
            return answer(view, document, type);
        } catch (BrokenDocument e) {
            return new Answer.Hold(String.valueOf(e.getMessage()));
        }
    }

    private static Answer answer(FleetView view, Document document, TypeDefinition type) {
        ClusterLife life = ClusterLife.of(view.document(Types.CLUSTER_LIFE, document.id()));
        int format = FleetSettings.of(view).answerFormat();
        if (format > Rendering.NEWEST_FORMAT) {
            return new Answer.Hold("the fleet's answer format " + format + " is newer than this server knows");
        }
        if (life.phase() == ClusterLife.Phase.DETACHED) {
            return new Answer.Detached(life.since());
        }
        int kept = life.paused().flatMap(ClusterLife.Pause::format).orElse(format);
        if (kept > Rendering.NEWEST_FORMAT) {
            return new Answer.Hold("the format " + kept + " that cluster/" + document.id()
                    + " was paused in is newer than this server knows");
        }
        Cluster cluster = Cluster.forType(document, type);
        if (life.phase() == ClusterLife.Phase.LEAVING) {
            return new Answer.ConfirmedEmpty(
                    ClusterBlock.of(cluster), type.plural(), format, List.of(), new Proof.Decommissioned(life.since()));
        }
        return switch (resolutions(view, cluster, life, List.of(type)).getFirst()) {
            case Resolution.Unknown unknown -> new Answer.Hold(unknown.reason());
            case Resolution.Items items -> served(block(cluster, life), document, type, kept, items, life);
        };
    }

    /** The items a cluster stands at: its pin while it is paused, what the layers say otherwise. */
    public static Resolution resolution(FleetView view, Document cluster, ClusterLife life, TypeDefinition type) {
        return resolutions(view, cluster, life, List.of(type)).getFirst();
    }

    /** The same for several types, in the order asked for. */
    public static List<Resolution> resolutions(
            FleetView view, Document document, ClusterLife life, List<TypeDefinition> types) {
        return document.fault().isPresent()
                ? Resolver.resolve(view, document, types)
                : resolutions(view, Cluster.of(document), life, types);
    }

    private static List<Resolution> resolutions(
            FleetView view, Cluster cluster, ClusterLife life, List<TypeDefinition> types) {
        ClusterLife.Pause pause = life.pause();
        if (pause == null && !life.releasing()) {
            return Resolver.resolve(view, cluster, types);
        }
        List<Resolution> standing = pause == null
                ? Resolver.resolve(view, cluster, types)
                : types.stream().map(type -> pinned(pause, type)).toList();
        return life.releasing() ? standing.stream().map(Answers::released).toList() : standing;
    }

    /** Before the namespaces of a decommissioned cluster are deleted too, they are served without their protection. */
    private static Resolution released(Resolution resolution) {
        return switch (resolution) {
            case Resolution.Unknown unknown -> unknown;
            case Resolution.Items items ->
                new Resolution.Items(
                        items.items().stream().map(PlainItem::released).toList());
        };
    }

    static Resolution pinned(ClusterLife.Pause pause, TypeDefinition type) {
        @Nullable ArrayNode items = pause.items().get(type.name());
        List<Item> pinned = new ArrayList<>();
        if (items != null) {
            items.forEach(item -> pinned.add(PinnedItem.read(item)));
        }
        return new Resolution.Items(pinned);
    }

    private static ClusterBlock block(Cluster cluster, ClusterLife life) {
        return life.paused().map(ClusterLife.Pause::cluster).orElseGet(() -> ClusterBlock.of(cluster));
    }

    private static Answer served(
            ClusterBlock block,
            Document cluster,
            TypeDefinition type,
            int format,
            Resolution.Items resolved,
            ClusterLife life) {
        if (resolved.enabled() > 0) {
            return new Answer.Inputs(block, type.plural(), format, resolved.items());
        }
        Long emptied = life.emptied().get(type.name());
        if (emptied != null) {
            return new Answer.ConfirmedEmpty(
                    block, type.plural(), format, resolved.items(), new Proof.Emptied(emptied));
        }
        if (life.filled().contains(type.name())) {
            return new Answer.Hold("cluster/" + cluster.id() + " had items of type " + type.name()
                    + " and now has none, but no confirmed change in the log says so");
        }
        return new Answer.ConfirmedEmpty(
                block,
                type.plural(),
                format,
                resolved.items(),
                new Proof.SinceBirth(cluster.created().revision()));
    }
}
