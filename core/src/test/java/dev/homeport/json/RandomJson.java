package dev.homeport.json;

import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON values of all kinds, small, with numbers within ±2^53, the same ones for the same seed. */
public final class RandomJson {
    private static final JsonNodeFactory FACTORY = JsonNodeFactory.instance;
    private static final String[] KEYS = {
        "id",
        "labels",
        "environment",
        "owner",
        "kind",
        "filled",
        "a",
        "b.c",
        "\u00f6",
        "\ud83d\ude00",
        "",
        "long-key-with-hyphens"
    };

    private RandomJson() {}

    public static ObjectNode object(SplittableRandom random, int depth) {
        ObjectNode object = FACTORY.objectNode();
        for (int left = random.nextInt(6); left > 0; left--) {
            object.set(KEYS[random.nextInt(KEYS.length)], value(random, depth - 1));
        }
        return object;
    }

    public static JsonNode value(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> FACTORY.nullNode();
            case 1 -> FACTORY.booleanNode(random.nextBoolean());
            case 2 -> FACTORY.numberNode(random.nextLong() >> (11 + random.nextInt(53)));
            case 3 -> FACTORY.numberNode(fraction(random));
            case 4, 5, 6 -> FACTORY.stringNode(text(random));
            case 7 -> array(random, depth);
            default -> object(random, depth);
        };
    }

    private static ArrayNode array(SplittableRandom random, int depth) {
        ArrayNode array = FACTORY.arrayNode();
        for (int left = random.nextInt(5); left > 0; left--) {
            array.add(value(random, depth - 1));
        }
        return array;
    }

    private static double fraction(SplittableRandom random) {
        double value = random.nextBoolean() ? Double.longBitsToDouble(random.nextLong()) : random.nextInt(100) / 4.0;
        return Math.abs(value) <= 1L << 53 ? value : 0.5;
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(20) == 0 ? random.nextInt(300) : random.nextInt(12);
        for (int left = length; left > 0; left--) {
            int point = random.nextInt(10) == 0 ? random.nextInt(0x11_0000) : 'a' + random.nextInt(26);
            boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            text.appendCodePoint(surrogate ? 'x' : point);
        }
        return text.toString();
    }
}
