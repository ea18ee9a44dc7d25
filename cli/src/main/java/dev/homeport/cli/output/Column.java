package dev.homeport.cli.output;

import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * A column of a table: its heading, whether only the wide form has it, and what it shows.
 *
 * @param mayBeCut where a table would be too wide for a terminal
 */
public record Column(String heading, boolean wide, boolean mayBeCut, Function<JsonNode, String> value) {
    public static final String NOTHING = "-";

    public static Column of(String heading, Function<JsonNode, String> value) {
        return new Column(heading, false, false, value);
    }

    public static Column wide(String heading, Function<JsonNode, String> value) {
        return new Column(heading, true, false, value);
    }

    /** The field at a path with dots. */
    public static Column field(String heading, String path) {
        return of(heading, document -> text(at(document, path)));
    }

    /** Text written by people: the table shows as much as fits. */
    public static Column prose(String heading, String path) {
        return new Column(heading, false, true, document -> text(at(document, path)));
    }

    public static Column wideField(String heading, String path) {
        return wide(heading, document -> text(at(document, path)));
    }

    public static JsonNode at(JsonNode document, String path) {
        JsonNode node = document;
        for (String name : path.split("\\.", -1)) {
            node = node.path(name);
        }
        return node;
    }

    /** The text of a cell: a scalar as it is, an object as key=value, a list by its elements or their ids. */
    public static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isObject()) {
            StringBuilder text = new StringBuilder();
            value.forEachEntry((name, one) -> text.append(text.isEmpty() ? "" : ",")
                    .append(name)
                    .append('=')
                    .append(text(one)));
            return text.toString();
        }
        if (value.isArray()) {
            StringBuilder text = new StringBuilder();
            value.forEach(one -> text.append(text.isEmpty() ? "" : ",")
                    .append(one.path("id").isString() ? one.path("id").stringValue() : text(one)));
            return text.toString();
        }
        return value.asString("");
    }
}
