package dev.homeport.bench.zoo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * One file of {@code bench/zoo}: what the bug does, the file it changes, the text it replaces there, and the tests that must
 * fail with it.
 *
 * @param file relative to the project's folder
 * @param tests class names, or {@code Class#method}, of one module
 */
public record PlantedBug(
        String name, String summary, String file, String module, List<String> tests, String find, String replace) {
    static final String SUFFIX = ".bug";
    private static final String FIND = "--- find\n";
    private static final String REPLACE = "--- replace\n";

    /** All of them, by name. */
    public static List<PlantedBug> all(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("bench/zoo"))) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(PlantedBug::read)
                    .toList();
        }
    }

    private static PlantedBug read(Path file) {
        String name = file.getFileName().toString();
        try {
            return parse(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("bench/zoo/" + name + ": " + e.getMessage(), e);
        }
    }

    static PlantedBug parse(String name, String text) {
        int find = text.indexOf(FIND);
        int replace = text.indexOf(REPLACE);
        if (find < 0 || replace < find) {
            throw new IllegalArgumentException("it needs a line '--- find' and after it a line '--- replace'");
        }
        List<String> head = text.substring(0, find).lines().toList();
        String[] test = value(head, "test:").split("\\s+", -1);
        if (test.length < 2) {
            throw new IllegalArgumentException("'test:' needs a module and at least one class");
        }
        String wanted = withoutLastNewline(text.substring(find + FIND.length(), replace));
        if (wanted.isBlank()) {
            throw new IllegalArgumentException("there is no text to find");
        }
        return new PlantedBug(
                name,
                value(head, "#"),
                value(head, "file:"),
                test[0],
                Stream.of(test).skip(1).toList(),
                wanted,
                withoutLastNewline(text.substring(replace + REPLACE.length())));
    }

    private static String value(List<String> head, String key) {
        return head.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the line '" + key + " …' is missing"));
    }

    private static String withoutLastNewline(String text) {
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    /** The file's text with the bug in it; the text to find must occur exactly once. */
    public String plantIn(String source) {
        int at = source.indexOf(find);
        if (at < 0) {
            throw new IllegalArgumentException("bench/zoo/" + name + SUFFIX + ": the text to find is not in " + file
                    + ". Update the planted bug to the code as it is now.");
        }
        if (source.indexOf(find, at + 1) >= 0) {
            throw new IllegalArgumentException(
                    "bench/zoo/" + name + SUFFIX + ": the text to find occurs twice in " + file + ". Make it longer.");
        }
        if (find.equals(replace)) {
            throw new IllegalArgumentException("bench/zoo/" + name + SUFFIX + ": it changes nothing");
        }
        return source.substring(0, at) + replace + source.substring(at + find.length());
    }
}
