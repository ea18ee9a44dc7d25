package dev.homeport.fleet;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An item written down, with what is needed to give the same bytes again in both shapes. */
public final class PinnedItem {
    private PinnedItem() {}

    public static ObjectNode write(Item item) {
        ObjectNode pinned = StrictJson.object();
        pinned.put("id", item.id());
        pinned.put("enabled", item.enabled());
        pinned.put("guarded", item.guarded());
        var dependsOn = pinned.putArray("depends_on");
        item.dependsOn().forEach(dependsOn::add);
        pinned.set("flat", StrictJson.read(item.flatBytes()));
        pinned.set("set", StrictJson.read(item.setBytes()));
        return pinned;
    }

    static Item read(JsonNode pinned) {
        List<String> dependsOn = new ArrayList<>();
        pinned.path("depends_on").forEach(id -> dependsOn.add(id.stringValue()));
        return new Item(
                pinned.get("id").stringValue(),
                pinned.get("enabled").booleanValue(),
                pinned.get("guarded").booleanValue(),
                List.copyOf(dependsOn),
                Frame.closed((ObjectNode) pinned.get("flat")),
                Frame.closed((ObjectNode) pinned.get("set")),
                Fill.NOTHING);
    }
}
