package dev.homeport.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON value in a few bytes. Keys live in shared {@link Shape}s, ids and other values that repeat across the fleet in a
 * shared pool, so that a reference such as {@code {"id":"grafana","enabled":true}} takes five bytes and not thirty. The form
 * exists in memory only: numbers of shapes and pooled strings differ from process to process.
 */
public final class Packed {
    static final int NULL = 0;
    static final int FALSE = 1;
    static final int TRUE = 2;
    static final int INTEGER = 3;
    static final int DOUBLE = 4;
    static final int TEXT = 5;
    static final int POOLED = 6;
    static final int OBJECT = 7;
    static final int ARRAY = 8;
    static final int LOOSE_OBJECT = 9;

    /** Tags from here on are the high byte of a pooled string's number: two bytes in all. */
    static final int SHORT_POOLED = 0x40;

    static final int SHORT_POOLED_LIMIT = (0x100 - SHORT_POOLED) << 8;

    static final Pool<String> STRINGS = new Pool<>(400_000);
    static final Pool<Shape> SHAPES = new Pool<>(50_000);

    private static final int MAX_POOLED_LENGTH = 128;

    /** Beyond 2^53 a double no longer names one integer. */
    private static final double MAX_WHOLE = 1L << 53;

    /** Values under these keys repeat: they name other documents, or are drawn from few words. */
    private static final Set<String> REPEATING = Set.of(
            "environment",
            "workspace",
            "template",
            "owner",
            "kind",
            "component_path",
            "component_version",
            "oci_tag",
            "oci_url",
            "kubernetes_version",
            "labels",
            "depends_on",
            "role",
            "filled");

    private byte[] out = new byte[256];
    private int length;

    private Packed() {}

    public static byte[] pack(JsonNode node) {
        Packed packed = new Packed();
        packed.write(node, false, 0);
        return Arrays.copyOf(packed.out, packed.length);
    }

    public static JsonNode unpack(byte[] packed) {
        return new PackedCursor(packed).node();
    }

    public static ObjectNode unpackObject(byte[] packed) {
        return (ObjectNode) unpack(packed);
    }

    private void write(JsonNode node, boolean pool, int depth) {
        switch (node.getNodeType()) {
            case NULL -> put(NULL);
            case BOOLEAN -> put(node.booleanValue() ? TRUE : FALSE);
            case NUMBER -> writeNumber(node);
            case STRING -> writeString(node.stringValue(), pool);
            case ARRAY -> {
                put(ARRAY);
                varint(node.size());
                for (JsonNode element : node) {
                    write(element, pool, depth + 1);
                }
            }
            case OBJECT -> writeObject(node, pool, depth);
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + node.getNodeType());
        }
    }

    private void writeObject(JsonNode node, boolean pool, int depth) {
        String[] keys = node.propertyNames().toArray(String[]::new);
        Arrays.sort(keys);
        int shape = SHAPES.number(new Shape(keys));
        if (shape >= 0) {
            put(OBJECT);
            varint(shape);
        } else {
            put(LOOSE_OBJECT);
            varint(keys.length);
            for (String key : keys) {
                writeString(key, true);
            }
        }
        for (String key : keys) {
            boolean reference = depth > 0 && key.equals("id");
            write(node.get(key), pool || reference || REPEATING.contains(key), depth + 1);
        }
    }

    private void writeNumber(JsonNode node) {
        if (isWhole(node)) {
            put(INTEGER);
            long value = node.isIntegralNumber() ? node.longValue() : (long) node.doubleValue();
            varint((value << 1) ^ (value >> 63));
        } else {
            put(DOUBLE);
            long bits = Double.doubleToLongBits(node.doubleValue());
            for (int shift = 56; shift >= 0; shift -= 8) {
                put((int) (bits >>> shift));
            }
        }
    }

    /** 1 and 1.0 are the same canonical JSON, so they must be the same bytes. */
    private static boolean isWhole(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.canConvertToLong();
        }
        double value = node.doubleValue();
        return value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE;
    }

    private void writeString(String value, boolean pool) {
        int number = pool && value.length() <= MAX_POOLED_LENGTH ? STRINGS.number(value) : -1;
        if (number < 0) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            put(TEXT);
            varint(utf8.length);
            ensure(utf8.length);
            System.arraycopy(utf8, 0, out, length, utf8.length);
            length += utf8.length;
        } else if (number < SHORT_POOLED_LIMIT) {
            put(SHORT_POOLED + (number >>> 8));
            put(number);
        } else {
            put(POOLED);
            varint(number);
        }
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            put((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        put((int) rest);
    }

    private void put(int value) {
        ensure(1);
        out[length++] = (byte) value;
    }

    private void ensure(int more) {
        if (length + more > out.length) {
            out = Arrays.copyOf(out, Math.max(out.length * 2, length + more));
        }
    }
}
