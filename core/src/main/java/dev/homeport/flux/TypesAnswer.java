package dev.homeport.flux;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.Document;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetSettings;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendering;
import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster's root provider is told: which types there are, and how their items become objects. It is never empty, not
 * even for a cluster that leaves: the types' own answers are what empties it.
 */
public final class TypesAnswer {
    public static final String PLURAL = "types";

    private TypesAnswer() {}

    public static Answer of(FleetView view, Document document) {
        try {
            ClusterLife life = ClusterLife.of(view.document(Types.CLUSTER_LIFE, document.id()));
            int format = FleetSettings.of(view).answerFormat();
            if (format > Rendering.NEWEST_FORMAT) {
                return new Answer.Hold("the fleet's answer format " + format + " is newer than this server knows");
            }
            if (life.phase() == ClusterLife.Phase.DETACHED) {
                return new Answer.Detached(life.since());
            }
            ClusterBlock block = life.paused()
                    .map(ClusterLife.Pause::cluster)
                    .orElseGet(() -> ClusterBlock.of(Cluster.of(document)));
            return new Answer.Inputs(block, PLURAL, format, items(view.types(), Templates.of(format)));
        } catch (BrokenDocument e) {
            return new Answer.Hold(String.valueOf(e.getMessage()));
        }
    }

    private static List<Item> items(TypeCatalog types, Templates templates) {
        return types.itemTypes().stream()
                .map(name -> types.named(name).orElseThrow())
                .map(type -> item(type, templates))
                .flatMap(Optional::stream)
                .sorted((one, other) -> one.id().compareTo(other.id()))
                .toList();
    }

    private static Optional<Item> item(TypeDefinition type, Templates templates) {
        return templates
                .of(type)
                .map(template -> Item.of(StrictJson.object()
                        .put("id", type.plural())
                        .put("service_account", template.serviceAccount())
                        .put("template", template.text())));
    }
}
