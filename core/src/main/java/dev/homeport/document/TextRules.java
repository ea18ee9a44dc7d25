package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What holds for every string, key and number of any document, whatever its type. One forbidden character in one value stops
 * a whole cluster from updating, because
 * readers of YAML refuse the answer as a whole.
 */
final class TextRules {
    static final int MAX_KEY = 317;
    static final int MAX_FREE_KEY = 1024;

    private static final long MAX_INTEGER = 1L << 53;

    /** What the characters around a value may be. */
    private enum Place {
        LINE,
        /** Names and short values that a person put into a map: never several lines, whatever the key. */
        ONE_LINE,
        PROSE,
        FREE;

        Place below(String key) {
            return switch (this) {
                case LINE -> named(key);
                case ONE_LINE, FREE -> this;
                case PROSE -> LINE;
            };
        }

        private static Place named(String key) {
            return switch (key) {
                case "values", "patches" -> FREE;
                case "labels", "annotations", "links" -> ONE_LINE;
                case "description", "reason", "template" -> PROSE;
                default -> LINE;
            };
        }
    }

    private final List<Violation> found = new ArrayList<>();
    private final Supplier<ObjectNode> stored;

    private TextRules(Supplier<ObjectNode> stored) {
        this.stored = stored;
    }

    /** @param stored the document as it is; line separators that it has from an older release may stay where they are */
    static List<Violation> check(ObjectNode body, Supplier<ObjectNode> stored) {
        TextRules rules = new TextRules(stored);
        rules.visit(body, "", Place.LINE);
        return rules.found;
    }

    /** True for a code point that may stand in a message as it is. */
    static boolean isPlain(int point) {
        return point >= 0x20 && !isForbidden(point) && !isDeceptive(point);
    }

    private void visit(JsonNode node, String pointer, Place place) {
        switch (node.getNodeType()) {
            case OBJECT ->
                node.forEachEntry((key, value) -> {
                    String at = Pointer.child(pointer, key);
                    key(key, at, place);
                    visit(value, at, place.below(key));
                });
            case ARRAY -> {
                int index = 0;
                for (JsonNode element : node) {
                    visit(element, Pointer.child(pointer, index++), place);
                }
            }
            case STRING ->
                characters(
                        node.stringValue(),
                        pointer,
                        place,
                        "the text",
                        () -> stored.get().at(pointer).equals(node));
            case NUMBER -> number(node, pointer);
            case NULL -> add(pointer, "the value is null", "leave the field out, or give it a value");
            case BOOLEAN, BINARY, MISSING, POJO -> {}
        }
    }

    private void key(String key, String pointer, Place place) {
        int limit = place == Place.FREE ? MAX_FREE_KEY : MAX_KEY;
        if (key.isEmpty()) {
            add(pointer, "a key is empty", "give every value a key");
        } else if (key.length() > limit) {
            add(pointer, "a key has " + key.length() + " characters, more than " + limit, "use a shorter key");
        } else {
            Place of = place == Place.FREE ? Place.FREE : Place.ONE_LINE;
            characters(
                    key, pointer, of, "the key", () -> !stored.get().at(pointer).isMissingNode());
        }
    }

    private void characters(String value, String pointer, Place place, String what, BooleanSupplier isStored) {
        for (int i = 0; i < value.length(); ) {
            int point = value.codePointAt(i);
            if (isRefused(point, place) || isLineSeparator(point) && !isStored.getAsBoolean()) {
                String name = String.format("U+%04X", point);
                add(pointer, what + " has the character " + name + " at position " + i, advice(point));
                return;
            }
            i += Character.charCount(point);
        }
    }

    private static boolean isRefused(int point, Place place) {
        return switch (place) {
            case LINE, ONE_LINE -> point < 0x20 || isForbidden(point) || isDeceptive(point);
            case PROSE -> isBrokenControl(point) || isForbidden(point) || isDeceptive(point);
            case FREE -> isBrokenControl(point) || isForbidden(point);
        };
    }

    private static String advice(int point) {
        return point == '\n' || point == '\t' ? "keep this value on one line, without tabs" : "remove the character";
    }

    /** Go escapes these in JSON and RFC 8785 does not, so two readers would compute different digests of one answer. */
    private static boolean isLineSeparator(int point) {
        return point == 0x2028 || point == 0x2029;
    }

    private static boolean isBrokenControl(int point) {
        return point < 0x20 && point != '\n' && point != '\t';
    }

    private static boolean isForbidden(int point) {
        return (point >= 0x7F && point <= 0x9F) || (point & 0xFFFE) == 0xFFFE || (point >= 0xD800 && point <= 0xDFFF);
    }

    /** Direction marks, invisible marks and line separators: they make a text look like another one. */
    private static boolean isDeceptive(int point) {
        return point == 0x061C
                || point == 0x200E
                || point == 0x200F
                || (point >= 0x2028 && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0xFEFF;
    }

    private void number(JsonNode node, String pointer) {
        if (node.isIntegralNumber()) {
            if (node.bigIntegerValue().abs().compareTo(BigInteger.valueOf(MAX_INTEGER)) > 0) {
                add(pointer, "the number is outside of ±2^53", "use a smaller number, or a string");
            }
            return;
        }
        double value = node.doubleValue();
        if (!Double.isFinite(value) || Math.abs(value) > MAX_INTEGER) {
            add(pointer, "the number is outside of ±2^53", "use a smaller number, or a string");
        }
    }

    private void add(String pointer, String detail, String fix) {
        found.add(new Violation(pointer, detail, fix));
    }
}
