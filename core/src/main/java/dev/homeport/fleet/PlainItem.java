package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An item that is the same for every cluster: a namespace, a role binding, a document of a type added at run time. */
final class PlainItem {
    /** For people, not for clusters. */
    private static final Set<String> NOT_SERVED = Set.of("schema_version", "description", "owner");

    private static final String RBAC = "rbac.authorization.k8s.io";

    private PlainItem() {}

    static Item of(Document document) {
        return document.derive(PlainItem::read);
    }

    /** The item as a workspace delivers it: what a type added at run time makes is made under the workspace's account. */
    static Item of(Document document, @Nullable String account) {
        boolean builtIn =
                document.type().equals(Types.NAMESPACE) || document.type().equals(Types.ROLEBINDING);
        Item item = of(document);
        return account == null || builtIn
                ? item
                : Item.closed(
                        item.id(),
                        item.guarded(),
                        Frame.closed(StrictJson.read(item.setBytes()).put("service_account", account)));
    }

    /** The item without {@code keep}, if it has it. */
    static Item released(Item item) {
        ObjectNode body = StrictJson.read(item.setBytes());
        return body.path("keep").booleanValue(false)
                ? Item.closed(item.id(), item.guarded(), Frame.closed(body.put("keep", false)))
                : item;
    }

    private static Item read(Document document) {
        ObjectNode body = document.tree();
        body.remove(NOT_SERVED);
        body.put("id", document.id());
        boolean stateful = body.path("stateful").booleanValue(false);
        switch (document.type()) {
            case Types.NAMESPACE -> {
                defaultObject(body, "labels");
                defaultObject(body, "annotations");
                if (!body.has("keep")) {
                    body.put("keep", true);
                }
                return Item.closed(document.id(), true, Frame.closed(body));
            }
            case Types.ROLEBINDING -> {
                if (!body.has("role_kind")) {
                    body.put("role_kind", "ClusterRole");
                }
                body.path("subjects").forEach(PlainItem::completeSubject);
                return Item.closed(document.id(), stateful, Frame.closed(body));
            }
            default -> {
                return Item.closed(document.id(), stateful, Frame.closed(body));
            }
        }
    }

    private static void defaultObject(ObjectNode body, String field) {
        if (!body.has(field)) {
            body.putObject(field);
        }
    }

    private static void completeSubject(JsonNode subject) {
        if (subject instanceof ObjectNode object && !object.has("apiGroup")) {
            object.put("apiGroup", object.path("kind").stringValue("").equals("ServiceAccount") ? "" : RBAC);
        }
    }
}
