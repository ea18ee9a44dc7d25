package dev.homeport.json;

import java.util.Arrays;

/** The keys of an object, in canonical order. Documents of one type share a handful of shapes. */
record Shape(String[] keys) {
    @Override
    public boolean equals(Object other) {
        return other instanceof Shape shape && Arrays.equals(keys, shape.keys);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(keys);
    }

    @Override
    public String toString() {
        return Arrays.toString(keys);
    }
}
