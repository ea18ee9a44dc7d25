package dev.homeport.cli.output;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The YAML that we write ourselves into the file of contexts: nested maps of plain words. Every command reads that file, and
 * loading a YAML library for it takes longer than the rest of the command; what is not this plain is left to the library.
 */
public final class PlainYaml {
    private static final Pattern LINE = Pattern.compile(
            "( *)([A-Za-z0-9_.-]+|\"[^\"\\\\]*\"):(?: +([A-Za-z0-9_/.@:+-]*[A-Za-z0-9_/+-]|\"[^\"\\\\]*\"))? *");

    private PlainYaml() {}

    private record Level(int indent, ObjectNode map) {}

    /** Empty when it is not plain enough. */
    public static Optional<ObjectNode> read(String text) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(0, root));
        ObjectNode fresh = null;
        for (String line : text.split("\n", -1)) {
            if (line.isBlank() || line.equals("---")) {
                continue;
            }
            Matcher form = LINE.matcher(line);
            if (!form.matches()) {
                return Optional.empty();
            }
            int indent = form.group(1).length();
            if (fresh != null && indent > open.element().indent()) {
                open.push(new Level(indent, fresh));
            }
            while (indent < open.element().indent()) {
                open.pop();
            }
            if (indent != open.element().indent()) {
                return Optional.empty();
            }
            String key = unquoted(form.group(2));
            ObjectNode map = open.element().map();
            if (map.has(key) || "null".equals(form.group(3))) {
                return Optional.empty();
            }
            if (form.group(3) == null) {
                fresh = map.putObject(key);
            } else {
                fresh = null;
                map.put(key, unquoted(form.group(3)));
            }
        }
        return Optional.of(root);
    }

    private static String unquoted(String word) {
        return word.startsWith("\"") ? word.substring(1, word.length() - 1) : word;
    }
}
