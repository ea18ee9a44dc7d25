package dev.homeport.access;

import dev.homeport.document.Types;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What a tenant's own layers assign where a change of one of them has an effect. A patch or an opt-out of anything else waits for
 * the platform to assign it, and would then win unseen.
 */
final class OwnItems {
    private final JsonNode below;
    private final JsonNode old;
    private final JsonNode now;
    private final @Nullable String environment;

    private OwnItems(JsonNode below, JsonNode old, JsonNode now, @Nullable String environment) {
        this.below = below;
        this.old = old;
        this.now = now;
        this.environment = environment;
    }

    /** @param workspace the stored workspace of a cluster */
    static OwnItems of(String type, JsonNode workspace, JsonNode old, JsonNode now) {
        return type.equals(Types.CLUSTER)
                ? new OwnItems(workspace, old, now, now.path("environment").stringValue(""))
                : new OwnItems(MissingNode.getInstance(), old, now, null);
    }

    /**
     * Whether the change leaves the item assigned by the layers that a statement of one of them is merged into. A new assignment
     * that is disabled at once assigns nothing.
     *
     * @param layer the environment that a workspace's layer is for, or empty
     */
    boolean assigns(String layer, String plural, String id) {
        String within = environment == null ? layer : environment;
        return any(now, within, one -> SharedItems.enables(one, plural, id))
                || any(now, within, one -> SharedItems.assigns(one, plural, id))
                        && any(old, within, one -> SharedItems.assigns(one, plural, id));
    }

    private boolean any(JsonNode document, String within, Predicate<JsonNode> assigns) {
        return Stream.of(below, document)
                .flatMap(one -> Stream.of(one, one.path("by_environment").path(within)))
                .anyMatch(assigns);
    }
}
