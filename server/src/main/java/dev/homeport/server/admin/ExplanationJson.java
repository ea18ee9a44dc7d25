package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.fleet.Explanation;
import dev.homeport.json.StrictJson;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An explanation on the wire, for one reader: a reason may name documents that the reader does not see. */
final class ExplanationJson {
    private final Powers powers;

    ExplanationJson(Powers powers) {
        this.powers = powers;
    }

    ObjectNode of(Explanation explanation) {
        ObjectNode json = StrictJson.object();
        explanation.unresolved().ifPresent(reason -> json.put("unresolved", reason));
        ArrayNode items = json.putArray("items");
        explanation.items().forEach(item -> {
            ObjectNode one = items.addObject().put("id", item.id()).put("assigned", item.assigned());
            one.set("assigned_by", origin(item.assignment()));
            ArrayNode values = one.putArray("values");
            item.values().forEach(value -> values.add(value(value)));
        });
        return json;
    }

    private ObjectNode value(Explanation.ExplainedValue value) {
        ObjectNode json = StrictJson.object().put("path", value.path());
        json.set("value", value.value());
        json.set("from", origin(value.origin()));
        if (!value.shadowed().isEmpty()) {
            ArrayNode shadowed = json.putArray("instead_of");
            value.shadowed().forEach(other -> {
                ObjectNode one = shadowed.addObject().put("path", other.path());
                one.set("value", other.value());
                one.set("from", origin(other.origin()));
            });
        }
        return json;
    }

    private ObjectNode origin(Explanation.Origin origin) {
        ObjectNode json = StrictJson.object()
                .put("layer", origin.layer().name().toLowerCase(Locale.ROOT))
                .put("document", origin.document().toString())
                .put("revision", origin.revision())
                .put("author", origin.author())
                .put("reason", powers.discreet(origin.reason()));
        if (origin.orEarlier()) {
            json.put("or_earlier", true);
        }
        if (origin.owner() != null) {
            json.put("owner", origin.owner());
        }
        if (origin.expiresAt() != null) {
            json.put("expires_at", origin.expiresAt().toString());
        }
        return json;
    }
}
