package dev.homeport.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a packed value front to back without building a tree. Keys and pooled strings come back as the same instances every
 * time.
 */
public final class PackedCursor {
    private final byte[] in;
    private int at;

    public PackedCursor(byte[] packed) {
        this.in = packed;
    }

    /** Starts an object and returns its keys in canonical order; one value follows for each. The array is shared: read only. */
    public String[] object() {
        int tag = in[at++];
        if (tag == Packed.OBJECT) {
            return Packed.SHAPES.value((int) varint()).keys();
        }
        if (tag == Packed.LOOSE_OBJECT) {
            String[] keys = new String[(int) varint()];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = text();
            }
            return keys;
        }
        throw new IllegalStateException("not an object: " + tag);
    }

    /** Starts an array and returns how many values follow. */
    public int array() {
        int tag = in[at++];
        if (tag != Packed.ARRAY) {
            throw new IllegalStateException("not an array: " + tag);
        }
        return (int) varint();
    }

    public String text() {
        int tag = in[at++] & 0xFF;
        if (tag >= Packed.SHORT_POOLED) {
            return Packed.STRINGS.value((tag - Packed.SHORT_POOLED) << 8 | in[at++] & 0xFF);
        }
        if (tag == Packed.POOLED) {
            return Packed.STRINGS.value((int) varint());
        }
        if (tag == Packed.TEXT) {
            int length = (int) varint();
            String value = new String(in, at, length, StandardCharsets.UTF_8);
            at += length;
            return value;
        }
        throw new IllegalStateException("not a string: " + tag);
    }

    public boolean bool() {
        int tag = in[at++];
        if (tag == Packed.TRUE || tag == Packed.FALSE) {
            return tag == Packed.TRUE;
        }
        throw new IllegalStateException("not a boolean: " + tag);
    }

    public long integer() {
        int tag = in[at++];
        if (tag == Packed.INTEGER) {
            return zigzag();
        }
        throw new IllegalStateException("not an integer: " + tag);
    }

    public JsonNode node() {
        JsonNodeFactory factory = JsonNodeFactory.instance;
        int tag = in[at] & 0xFF;
        switch (tag) {
            case Packed.NULL -> {
                at++;
                return factory.nullNode();
            }
            case Packed.FALSE, Packed.TRUE -> {
                return factory.booleanNode(bool());
            }
            case Packed.INTEGER -> {
                return factory.numberNode(integer());
            }
            case Packed.DOUBLE -> {
                at++;
                return factory.numberNode(Double.longBitsToDouble(eightBytes()));
            }
            case Packed.OBJECT, Packed.LOOSE_OBJECT -> {
                ObjectNode object = factory.objectNode();
                for (String key : object()) {
                    object.set(key, node());
                }
                return object;
            }
            case Packed.ARRAY -> {
                int count = array();
                ArrayNode array = factory.arrayNode(count);
                for (int i = 0; i < count; i++) {
                    array.add(node());
                }
                return array;
            }
            default -> {
                return factory.stringNode(text());
            }
        }
    }

    public void skip() {
        int tag = in[at] & 0xFF;
        switch (tag) {
            case Packed.NULL, Packed.FALSE, Packed.TRUE -> at++;
            case Packed.INTEGER, Packed.POOLED -> {
                at++;
                varint();
            }
            case Packed.DOUBLE -> at += 9;
            case Packed.TEXT -> {
                at++;
                int length = (int) varint();
                at += length;
            }
            case Packed.OBJECT, Packed.LOOSE_OBJECT -> {
                for (int left = object().length; left > 0; left--) {
                    skip();
                }
            }
            case Packed.ARRAY -> {
                for (int left = array(); left > 0; left--) {
                    skip();
                }
            }
            default -> at += 2;
        }
    }

    /** The next value as it is packed. Within a process, equal bytes are equal values. */
    public byte[] raw() {
        int from = at;
        skip();
        return Arrays.copyOfRange(in, from, at);
    }

    private long eightBytes() {
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | in[at++] & 0xFF;
        }
        return bits;
    }

    private long zigzag() {
        long value = varint();
        return (value >>> 1) ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte part = in[at++];
            value |= (long) (part & 0x7F) << shift;
            if (part >= 0) {
                return value;
            }
        }
    }
}
