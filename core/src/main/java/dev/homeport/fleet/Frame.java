package dev.homeport.fleet;

import dev.homeport.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An item's canonical JSON, encoded once and shared by every cluster that gets it, with two places left open: where the
 * cluster block goes ({@code split}, flat shape only), and where the value of one field goes (between head and tail).
 */
record Frame(byte[] head, int split, byte[] tail) {
    private static final String CLUSTER = "cluster";

    /** A frame with nothing left open but the cluster block. */
    static Frame closed(ObjectNode fields) {
        return of(fields, null);
    }

    /** A frame that leaves the value of a field open; the fields given do not contain it. */
    static Frame around(ObjectNode fields, String hole) {
        return of(fields, hole);
    }

    private static Frame of(ObjectNode fields, @Nullable String hole) {
        TreeSet<String> keys = new TreeSet<>(fields.propertyNames());
        if (hole != null) {
            keys.add(hole);
        }
        StringBuilder out = new StringBuilder("{");
        byte[] head = new byte[0];
        int split = -1;
        boolean first = true;
        for (String key : keys) {
            // Every item has an id, which sorts behind "cluster", so the block is always followed by another member.
            if (split < 0 && key.compareTo(CLUSTER) > 0) {
                out.append(first ? "" : ",");
                first = true;
                split = utf8(out).length;
            }
            out.append(first ? "" : ",");
            first = false;
            CanonicalJson.string(key, out);
            out.append(':');
            if (key.equals(hole)) {
                head = utf8(out);
                out.setLength(0);
            } else {
                out.append(CanonicalJson.text(fields.get(key)));
            }
        }
        out.append('}');
        return hole == null ? new Frame(utf8(out), split, new byte[0]) : new Frame(head, split, utf8(out));
    }

    private static byte[] utf8(StringBuilder text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    int length() {
        return head.length + tail.length;
    }
}
