package dev.homeport.fleet;

import dev.homeport.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.StringNode;

/** A growing byte array. */
final class Bytes {
    private byte[] bytes;
    private int length;

    Bytes(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    Bytes add(byte[] more) {
        return add(more, 0, more.length);
    }

    Bytes add(byte[] more, int from, int count) {
        ensure(count);
        System.arraycopy(more, from, bytes, length, count);
        length += count;
        return this;
    }

    Bytes add(Bytes more) {
        return add(more.bytes, 0, more.length);
    }

    Bytes add(char ascii) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        bytes[length++] = (byte) ascii;
        return this;
    }

    Bytes add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A JSON string, canonical. Nearly every one is plain ASCII, which is copied as it is looked at. */
    Bytes quoted(String text) {
        return quoted(text, 0, text.length());
    }

    Bytes quoted(String text, int start, int end) {
        ensure(end - start + 2);
        int from = length;
        bytes[length++] = '"';
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                length = from;
                StringBuilder out = new StringBuilder(end - start + 16);
                CanonicalJson.string(text.substring(start, end), out);
                return add(out.toString());
            }
            bytes[length++] = (byte) c;
        }
        bytes[length++] = '"';
        return this;
    }

    /** A JSON value, canonical. */
    Bytes value(JsonNode value) {
        return switch (value) {
            case StringNode text -> quoted(text.stringValue());
            case IntNode number -> add(Integer.toString(number.intValue()));
            case LongNode number -> add(Long.toString(number.longValue()));
            case BooleanNode flag -> add(flag.booleanValue() ? "true" : "false");
            default -> add(CanonicalJson.text(value));
        };
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** Writes over what is at a place. */
    void set(int place, byte[] other) {
        System.arraycopy(other, 0, bytes, place, other.length);
    }

    int length() {
        return length;
    }

    byte[] toArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    byte[] buffer() {
        return bytes;
    }
}
