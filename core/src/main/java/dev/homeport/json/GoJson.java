package dev.homeport.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * JSON as Go's encoder writes it without HTML escapes, which is what {@code toRawJson} gives a template of Flux Operator. It is
 * {@link CanonicalJson} but for two things: keys are sorted by code points, not by UTF-16 units, and U+2028 and U+2029 are
 * escaped.
 */
public final class GoJson {
    private static final byte FOUR_BYTES = (byte) 0xF0;
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private GoJson() {}

    public static byte[] bytes(JsonNode node) {
        StringBuilder out = new StringBuilder(256);
        write(node, out);
        return out.toString()
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Whether canonical JSON in UTF-8 may differ from what Go writes; false is certain. */
    public static boolean mayDiffer(byte[] canonical, int length) {
        for (int at = afterAscii(canonical, length); at < length; at++) {
            byte one = canonical[at];
            if (one < 0 && (one >= FOUR_BYTES || isSeparator(canonical, at, length))) {
                return true;
            }
        }
        return false;
    }

    /** Eight bytes at a time: nearly every answer is ASCII. */
    private static int afterAscii(byte[] utf8, int length) {
        int at = 0;
        while (at + Long.BYTES <= length && ((long) LONGS.get(utf8, at) & NOT_ASCII) == 0) {
            at += Long.BYTES;
        }
        return at;
    }

    private static boolean isSeparator(byte[] utf8, int at, int length) {
        return at + 2 < length
                && utf8[at] == (byte) 0xE2
                && utf8[at + 1] == (byte) 0x80
                && (utf8[at + 2] == (byte) 0xA8 || utf8[at + 2] == (byte) 0xA9);
    }

    private static void write(JsonNode node, StringBuilder out) {
        if (node.isArray()) {
            out.append('[');
            String separator = "";
            for (JsonNode element : node) {
                out.append(separator);
                write(element, out);
                separator = ",";
            }
            out.append(']');
        } else if (node.isObject()) {
            List<String> keys = new ArrayList<>(node.propertyNames());
            keys.sort(GoJson::byCodePoints);
            out.append('{');
            String separator = "";
            for (String key : keys) {
                out.append(separator);
                CanonicalJson.string(key, out);
                out.append(':');
                write(node.get(key), out);
                separator = ",";
            }
            out.append('}');
        } else {
            CanonicalJson.write(node, out);
        }
    }

    private static int byCodePoints(String one, String other) {
        int[] left = one.codePoints().toArray();
        int[] right = other.codePoints().toArray();
        return Arrays.compare(left, right);
    }
}
