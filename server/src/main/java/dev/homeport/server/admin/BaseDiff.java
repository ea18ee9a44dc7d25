package dev.homeport.server.admin;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Resolution;
import dev.homeport.fleet.Resolver;
import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster beside what it would be without a layer of its own: the same, unless its document says something. */
final class BaseDiff {
    private static final Set<String> OWN_LAYER = Set.of(
            "platform_components", "namespaces", "rolebindings", "refs", "patches", "patches_removed", "patch_info");

    private BaseDiff() {}

    /** Types in which nothing differs are left out. */
    static ObjectNode of(FleetView view, Document cluster, List<TypeDefinition> types) {
        ObjectNode bare = cluster.tree();
        bare.remove(OWN_LAYER);
        Document base = Document.of(cluster.key(), Body.of(bare), cluster.created(), cluster.updated());
        List<Resolution> with = Resolver.resolve(view, cluster, types);
        List<Resolution> without = Resolver.resolve(view, base, types);
        ObjectNode json = StrictJson.object();
        for (int i = 0; i < types.size(); i++) {
            ObjectNode one = between(without.get(i), with.get(i));
            if (!one.isEmpty()) {
                json.set(types.get(i).plural(), one);
            }
        }
        return json;
    }

    private static ObjectNode between(Resolution base, Resolution own) {
        ObjectNode json = StrictJson.object();
        if (own instanceof Resolution.Unknown unknown) {
            return json.put("unresolved", unknown.reason());
        }
        if (base instanceof Resolution.Unknown unknown) {
            return json.put("base_unresolved", unknown.reason());
        }
        Map<String, Item> before = byId(base);
        Map<String, Item> after = byId(own);
        Set<String> ids = new TreeSet<>(before.keySet());
        ids.addAll(after.keySet());
        for (String id : ids) {
            item(id, before.get(id), after.get(id), json);
        }
        return json;
    }

    private static void item(String id, @Nullable Item before, @Nullable Item after, ObjectNode json) {
        if (before != null && after != null && before.sameAs(after)) {
            return;
        }
        ObjectNode one = json.withArray("items").addObject().put("id", id);
        one.put("change", before == null ? "added" : after == null ? "removed" : "changed");
        if (before != null && after != null) {
            fields("", StrictJson.read(before.flatBytes()), StrictJson.read(after.flatBytes()), one.putArray("fields"));
        }
    }

    private static void fields(String path, JsonNode before, JsonNode after, ArrayNode found) {
        if (before.isObject() && after.isObject()) {
            Set<String> names = new TreeSet<>(before.propertyNames());
            names.addAll(after.propertyNames());
            names.forEach(name -> fields(
                    path + "/" + name.replace("~", "~0").replace("/", "~1"),
                    before.path(name),
                    after.path(name),
                    found));
        } else if (!before.equals(after)) {
            ObjectNode one = found.addObject().put("pointer", path);
            put(one, "base", before);
            put(one, "cluster", after);
        }
    }

    private static void put(ObjectNode json, String side, JsonNode value) {
        if (!value.isMissingNode()) {
            json.set(side, value);
        }
    }

    private static Map<String, Item> byId(Resolution resolution) {
        Map<String, Item> items = new TreeMap<>();
        if (resolution instanceof Resolution.Items all) {
            all.items().forEach(item -> items.put(item.id(), item));
        }
        return items;
    }
}
