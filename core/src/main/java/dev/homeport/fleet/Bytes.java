package dev.homeport.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
        System.arraycopy(more, from, bytes, length, count);
        length += count;
        return this;
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
