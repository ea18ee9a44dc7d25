package dev.homeport.fleet;

import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * One resolved item in both wire shapes. The frames are shared across the fleet; only what fills them may be a cluster's own.
 *
 * @param guarded a namespace or something stateful: taking it away always needs a confirmation
 */
public record Item(
        String id, boolean enabled, boolean guarded, List<String> dependsOn, Frame flat, Frame set, Fill fill) {

    /** An item that is in both shapes as it is given, for every cluster alike; it has an {@code id}. */
    public static Item of(ObjectNode body) {
        return closed(body.get("id").stringValue(), false, Frame.closed(body));
    }

    static Item closed(String id, boolean guarded, Frame frame) {
        return new Item(id, true, guarded, List.of(), frame, frame, Fill.NOTHING);
    }

    /** At least as long as the longer shape, found without making either. */
    long bound() {
        return Math.max(flat.length(), set.length()) + fill.bound();
    }

    int flatLength() {
        return flat.length() + fill.flat().length;
    }

    int setLength() {
        return set.length() + fill.nested().length;
    }

    /** Equal in every byte that a cluster could be served. A pinned item has the same bytes in other pieces. */
    public boolean sameAs(Item other) {
        if (this == other) {
            return true;
        }
        if (!id.equals(other.id) || enabled != other.enabled) {
            return false;
        }
        if (flat == other.flat && set == other.set) {
            return fill.sameAs(other.fill);
        }
        return Arrays.equals(flatBytes(), other.flatBytes()) && Arrays.equals(setBytes(), other.setBytes());
    }

    /** The item as the set shape serves it. */
    public byte[] setBytes() {
        Bytes out = new Bytes(setLength());
        out.add(set.head()).add(fill.nested()).add(set.tail());
        return out.toArray();
    }

    /** The item as the flat shape serves it, but for the cluster block. */
    public byte[] flatBytes() {
        Bytes out = new Bytes(flatLength());
        out.add(flat.head()).add(fill.flat()).add(flat.tail());
        return out.toArray();
    }
}
