package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The types. User-defined types are written like any document, under the plural {@code types}. */
final class TypeRoutes {
    private final Services services;

    TypeRoutes(Services services) {
        this.services = services;
    }

    List<Route> routes() {
        return List.of(AdminRoute.read(
                "/api/v2/types", "listTypes", "Lists all types with their schemas.", Set.of(AsOf.NAME), this::types));
    }

    private Reply types(Call call) {
        AsOf state = AsOf.of(call, services);
        ObjectNode body = StrictJson.object().put("revision", state.revision());
        ArrayNode items = body.putArray("items");
        for (TypeDefinition type : state.view().types().all()) {
            if (type.part() != TypeDefinition.Part.INTERNAL) {
                ObjectNode one = items.addObject()
                        .put("name", type.name())
                        .put("plural", type.plural())
                        .put("part", type.part().name().toLowerCase(Locale.ROOT));
                Document document = state.view().document(Types.TYPE, type.name());
                one.put("built_in", document == null);
                one.set("schema", type.schema());
            }
        }
        return Reply.json(200, body);
    }
}
