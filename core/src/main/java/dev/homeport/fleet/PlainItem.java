package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An item that layers do not change: a namespace, a role binding, a document of a type added at run time. */
final class PlainItem {
    /** For people, not for clusters. */
    private static final Set<String> NOT_SERVED = Set.of("schema_version", "description", "owner");

    private static final int MAX_ACCOUNTS = 10_000;
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Item item;
    private final String type;
    /** Namespaces, and bindings that have none, concern a whole cluster: those are never a tenant's. */
    private final boolean clusterScoped;

    private final Map<String, Item> byAccount = new ConcurrentHashMap<>();

    private PlainItem(Document document) {
        ObjectNode body = body(document);
        this.type = document.type();
        this.clusterScoped = type.equals(Types.NAMESPACE) || type.equals(Types.ROLEBINDING) && !body.has("namespace");
        boolean guarded = type.equals(Types.NAMESPACE) || body.path("stateful").booleanValue(false);
        this.item = Item.closed(document.id(), guarded, Frame.closed(body));
    }

    static PlainItem of(Document document) {
        return document.derive(PlainItem::new);
    }

    /** As it is delivered: what a workspace delivers carries the workspace's account. */
    Item item(LayerStack stack, MergedRef ref) {
        String account = account(stack, ref);
        if (account == null) {
            return item;
        }
        Item known = byAccount.get(account);
        if (known == null) {
            ObjectNode body = StrictJson.read(item.setBytes()).put("service_account", account);
            known = Item.closed(item.id(), item.guarded(), Frame.closed(body));
            if (byAccount.size() < MAX_ACCOUNTS) {
                byAccount.put(account, known);
            }
        }
        return known;
    }

    private @Nullable String account(LayerStack stack, MergedRef ref) {
        boolean withoutAccounts = type.equals(Types.ROLEBINDING) && !stack.accountForBindings();
        return clusterScoped || withoutAccounts ? null : stack.accountFor(ref);
    }

    /** The item without {@code keep}, if it has it. */
    static Item released(Item item) {
        ObjectNode body = StrictJson.read(item.setBytes());
        return body.path("keep").booleanValue(false)
                ? Item.closed(item.id(), item.guarded(), Frame.closed(body.put("keep", false)))
                : item;
    }

    private static ObjectNode body(Document document) {
        ObjectNode body = document.tree();
        body.remove(NOT_SERVED);
        body.put("id", document.id());
        switch (document.type()) {
            case Types.NAMESPACE -> {
                defaultObject(body, "labels");
                defaultObject(body, "annotations");
                if (!body.has("keep")) {
                    body.put("keep", true);
                }
            }
            case Types.ROLEBINDING -> {
                if (!body.has("role_kind")) {
                    body.put("role_kind", "ClusterRole");
                }
                body.path("subjects").forEach(PlainItem::completeSubject);
            }
            default -> {}
        }
        return body;
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
