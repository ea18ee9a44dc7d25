package dev.homeport.flux;

import dev.homeport.document.BrokenDocument;
import dev.homeport.document.BuiltInTypes;
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
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer for a cluster's root provider: which types there are, and how their items become objects. It is never empty, not
 * even for a cluster that is decommissioned: the types' own answers empty it.
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
            int kept = life.paused().flatMap(ClusterLife.Pause::format).orElse(format);
            if (kept > Rendering.NEWEST_FORMAT) {
                return new Answer.Hold("the format " + kept + " that cluster/" + document.id()
                        + " was paused in is newer than this server knows");
            }
            SortedMap<String, String> added =
                    life.paused().flatMap(ClusterLife.Pause::templates).orElseGet(() -> templates(view.types()));
            String pollInterval = Cluster.of(document).pollInterval();
            return new Answer.Inputs(block, PLURAL, kept, items(Templates.of(kept), added, pollInterval));
        } catch (BrokenDocument e) {
            return new Answer.Hold(String.valueOf(e.getMessage()));
        }
    }

    private static SortedMap<String, String> templates(TypeCatalog types) {
        SortedMap<String, String> templates = new TreeMap<>();
        types.all().forEach(type -> type.template().ifPresent(text -> templates.put(type.plural(), text)));
        return templates;
    }

    /** How often it polls follows the document even while it is paused: that is not part of what it runs. */
    private static List<Item> items(Templates templates, SortedMap<String, String> added, String pollInterval) {
        SortedMap<String, Templates.Template> all = new TreeMap<>();
        for (String name : BuiltInTypes.catalog().itemTypes()) {
            TypeDefinition type = BuiltInTypes.catalog().named(name).orElseThrow();
            templates.of(type).ifPresent(template -> all.put(type.plural(), template));
        }
        templates.witnesses().ifPresent(template -> all.put(Types.WITNESSES, template));
        added.forEach((plural, text) -> all.put(plural, templates.added(plural, text)));
        List<Item> items = new ArrayList<>();
        all.forEach((plural, template) -> {
            ObjectNode item = StrictJson.object().put("id", plural);
            if (templates.tellIntervals() && !pollInterval.isEmpty()) {
                item.put("poll_interval", pollInterval);
            }
            items.add(Item.of(
                    item.put("service_account", template.serviceAccount()).put("template", template.text())));
        });
        return items;
    }
}
