package dev.homeport.server.admin.filter;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/** A value in a filter. Whether it is a number is for the value it is compared with to say. */
public record Literal(String text) {
    boolean equalTo(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> value.stringValue().equals(text);
            case BOOLEAN -> Boolean.toString(value.booleanValue()).equals(text);
            case NUMBER -> order(value).orElse(1) == 0;
            case OBJECT -> value.path("id").asString("").equals(text);
            default -> false;
        };
    }

    /** Texts: somewhere in it, whatever the case. Anything else: equal. */
    boolean isIn(JsonNode value) {
        return value.isString()
                ? value.stringValue().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))
                : equalTo(value);
    }

    /** How the value stands to this: below, equal, above; nothing when they cannot be compared. */
    OptionalInt order(JsonNode value) {
        if (value.isString()) {
            return OptionalInt.of(value.stringValue().compareTo(text));
        }
        if (value.isNumber() && text.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?")) {
            return OptionalInt.of(value.decimalValue().compareTo(new BigDecimal(text)));
        }
        return OptionalInt.empty();
    }
}
