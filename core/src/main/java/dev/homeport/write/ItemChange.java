package dev.homeport.write;

import dev.homeport.fleet.Item;
import dev.homeport.json.StrictJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens to one item of one cluster.
 *
 * @param kept it is removed from the answer, and Flux leaves it on the cluster on purpose
 */
public record ItemChange(
        Kind kind,
        String id,
        @Nullable Item before,
        @Nullable Item after,
        boolean kept) {

    ItemChange(Kind kind, String id, @Nullable Item before, @Nullable Item after) {
        this(kind, id, before, after, false);
    }

    /** Disabling counts as removing, and enabling as adding. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }

    /** Empty when both are the same. One of them is there. */
    static Optional<ItemChange> between(@Nullable Item before, @Nullable Item after) {
        if (before != null && after != null && before.sameAs(after)) {
            return Optional.empty();
        }
        boolean was = before != null && before.enabled();
        boolean is = after != null && after.enabled();
        Kind kind = was == is ? Kind.CHANGED : is ? Kind.ADDED : Kind.REMOVED;
        String id = before != null ? before.id() : after != null ? after.id() : "";
        return Optional.of(new ItemChange(kind, id, before, after));
    }

    ItemChange keeping(boolean onCluster) {
        return new ItemChange(kind, id, before, after, onCluster);
    }

    /** The item as the flat shape had it, without the cluster block. */
    public Optional<ObjectNode> fieldsBefore() {
        return Optional.ofNullable(before).map(item -> StrictJson.read(item.flatBytes()));
    }

    public Optional<ObjectNode> fieldsAfter() {
        return Optional.ofNullable(after).map(item -> StrictJson.read(item.flatBytes()));
    }
}
