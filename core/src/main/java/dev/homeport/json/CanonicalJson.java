package dev.homeport.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** RFC 8785: the one byte form of a JSON value. Everything that is hashed, stored or compared goes through here. */
public final class CanonicalJson {
    private static final MathContext ONE_DIGIT = new MathContext(1);

    private CanonicalJson() {}

    public static byte[] bytes(JsonNode node) {
        return text(node).getBytes(StandardCharsets.UTF_8);
    }

    public static String text(JsonNode node) {
        StringBuilder out = new StringBuilder(256);
        write(node, out);
        return out.toString();
    }

    public static void write(JsonNode node, StringBuilder out) {
        switch (node.getNodeType()) {
            case OBJECT -> writeObject(node, out);
            case ARRAY -> {
                out.append('[');
                String separator = "";
                for (JsonNode element : node) {
                    out.append(separator);
                    write(element, out);
                    separator = ",";
                }
                out.append(']');
            }
            case STRING -> string(node.stringValue(), out);
            case NUMBER -> out.append(number(node));
            case BOOLEAN -> out.append(node.booleanValue());
            case NULL -> out.append("null");
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + node.getNodeType());
        }
    }

    private static void writeObject(JsonNode node, StringBuilder out) {
        List<String> keys = new ArrayList<>(node.propertyNames());
        Collections.sort(keys); // UTF-16 code units, as RFC 8785 asks for
        out.append('{');
        String separator = "";
        for (String key : keys) {
            out.append(separator);
            string(key, out);
            out.append(':');
            write(node.get(key), out);
            separator = ",";
        }
        out.append('}');
    }

    public static void string(String value, StringBuilder out) {
        out.append('"');
        if (isPlain(value)) {
            out.append(value).append('"');
            return;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    static String number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return Long.toString(node.longValue());
        }
        return number(node.doubleValue());
    }

    /** A double as ECMAScript prints it, on top of the JDK's shortest digits. */
    public static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("not a JSON number: " + value);
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal decimal = shortest(Math.abs(value));
        String digits = decimal.unscaledValue().toString();
        int point = digits.length() - decimal.scale();
        String sign = value < 0 ? "-" : "";
        return sign + place(digits, point);
    }

    /** The JDK never gives fewer than two digits, so the least subnormal numbers come out one digit too long. */
    private static BigDecimal shortest(double value) {
        BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (decimal.precision() != 2) {
            return decimal;
        }
        BigDecimal rounded = decimal.round(ONE_DIGIT).stripTrailingZeros();
        return rounded.doubleValue() == value ? rounded : decimal;
    }

    private static String place(String digits, int point) {
        int count = digits.length();
        if (point > 21 || point <= -6) {
            String exponent = (point > 0 ? "+" : "") + (point - 1);
            return digits.charAt(0) + (count > 1 ? "." + digits.substring(1) : "") + "e" + exponent;
        }
        if (point <= 0) {
            return "0." + "0".repeat(-point) + digits;
        }
        return point >= count
                ? digits + "0".repeat(point - count)
                : digits.substring(0, point) + "." + digits.substring(point);
    }
}
