package dev.homeport.server.admin.patch;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** RFC 6902. Steps are applied in order; the first that does not fit refuses the whole patch. */
public final class JsonPatch {
    private static final int MOST_STEPS = 200;
    private static final int MOST_NODES = 50_000;

    /** A document is shown and sent back within an object. */
    private static final int DEEPEST = StrictJson.MAX_DEPTH - 1;

    private final ArrayNode steps;
    private int position;

    private JsonPatch(ArrayNode steps) {
        this.steps = steps;
    }

    /** The document after the patch; the one given stays as it is. */
    public static ObjectNode apply(ObjectNode document, ArrayNode steps) {
        if (steps.size() > MOST_STEPS) {
            throw ProblemException.invalid("", "the patch has more than " + MOST_STEPS + " steps", "send several");
        }
        return new JsonPatch(steps).apply(document.deepCopy());
    }

    private ObjectNode apply(ObjectNode document) {
        JsonNode root = document;
        for (JsonNode step : steps) {
            root = apply(root, step);
            // "copy" can double a document with each step.
            if (nodes(root, DEEPEST) > MOST_NODES) {
                throw wrong("", "the document grows too large or too deep", "make it smaller");
            }
            position++;
        }
        if (root instanceof ObjectNode object) {
            return object;
        }
        throw ProblemException.invalid("", "the patch leaves no object", "a document is an object");
    }

    private JsonNode apply(JsonNode root, JsonNode step) {
        String op = text(step, "op");
        List<String> path = path(text(step, "path"), "/path");
        return switch (op) {
            case "add" -> add(root, path, value(step));
            case "replace" -> add(remove(root, path), path, value(step));
            case "remove" -> remove(root, path);
            case "move" -> {
                List<String> from = path(text(step, "from"), "/from");
                if (path.size() > from.size() && path.subList(0, from.size()).equals(from)) {
                    throw wrong("/path", "a value cannot move into itself", "choose another place");
                }
                JsonNode moved = find(root, from, "/from");
                yield add(remove(root, from), path, moved);
            }
            case "copy" ->
                add(
                        root,
                        path,
                        find(root, path(text(step, "from"), "/from"), "/from").deepCopy());
            case "test" -> {
                if (!find(root, path, "/path").equals(value(step))) {
                    throw ProblemException.refused(
                            ErrorCode.CONFLICT,
                            "step " + position + " expects another value than the one there",
                            "get the document again, and repeat your change");
                }
                yield root;
            }
            default -> throw wrong("/op", "there is no such step", "use add, remove, replace, move, copy or test");
        };
    }

    private JsonNode add(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        JsonNode parent = find(root, path.subList(0, path.size() - 1), "/path");
        String last = path.getLast();
        switch (parent) {
            case ObjectNode object -> object.set(last, value);
            case ArrayNode array -> array.insert(last.equals("-") ? array.size() : index(last, array.size()), value);
            default -> throw nothingThere("/path");
        }
        return root;
    }

    private JsonNode remove(JsonNode root, List<String> path) {
        find(root, path, "/path");
        if (path.isEmpty()) {
            return tools.jackson.databind.node.NullNode.getInstance();
        }
        JsonNode parent = find(root, path.subList(0, path.size() - 1), "/path");
        switch (parent) {
            case ObjectNode object -> object.remove(path.getLast());
            case ArrayNode array -> array.remove(index(path.getLast(), array.size() - 1));
            default -> throw nothingThere("/path");
        }
        return root;
    }

    private JsonNode find(JsonNode root, List<String> path, String where) {
        JsonNode node = root;
        for (String part : path) {
            @Nullable
            JsonNode next = switch (node) {
                case ObjectNode object -> object.get(part);
                case ArrayNode array -> array.get(index(part, array.size() - 1));
                default -> null;
            };
            if (next == null) {
                throw nothingThere(where);
            }
            node = next;
        }
        return node;
    }

    private int index(String part, int last) {
        if (!part.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(part) > last) {
            throw wrong("/path", "there is no such element", "use an index of the list, or - for its end");
        }
        return Integer.parseInt(part);
    }

    private List<String> path(String pointer, String where) {
        List<String> parts = new ArrayList<>();
        if (pointer.isEmpty()) {
            return parts;
        }
        if (!pointer.startsWith("/") || pointer.matches("(?s).*~([^01].*)?")) {
            throw wrong(where, "this is not a JSON pointer", "write it like /spec/labels/region");
        }
        for (String part : pointer.substring(1).split("/", -1)) {
            parts.add(part.replace("~1", "/").replace("~0", "~"));
        }
        return parts;
    }

    private String text(JsonNode step, String field) {
        JsonNode node = step.path(field);
        if (!node.isString()) {
            throw wrong("/" + field, field + " is missing or not a string", "a step has op and path, some also from");
        }
        return node.stringValue();
    }

    private JsonNode value(JsonNode step) {
        JsonNode value = step.path("value");
        if (value.isMissingNode()) {
            throw wrong("/value", "value is missing", "send it, null if need be");
        }
        return value;
    }

    private ProblemException nothingThere(String where) {
        return wrong(where, "there is nothing at this place", "get the document and look where it is");
    }

    private ProblemException wrong(String where, String detail, String fix) {
        return ProblemException.invalid("/" + position + where, detail, fix);
    }

    /** More than there may be when nested too deep. */
    private static int nodes(JsonNode node, int depth) {
        if (depth == 0) {
            return MOST_NODES + 1;
        }
        int count = 1;
        for (JsonNode child : node) {
            count += nodes(child, depth - 1);
            if (count > MOST_NODES) {
                break;
            }
        }
        return count;
    }
}
