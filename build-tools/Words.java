import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the words of build-tools/words.tsv in pages, resources, string literals and comments: java Words.java ROOT [--lower]. Of
 * tests it reads the comments alone. Fails unless each file has exactly as many as build-tools/words-allowed.tsv says;
 * {@code --lower} lowers those numbers, and never raises one.
 */
public final class Words {
    private static final List<String> PLACES = List.of(
            "README.md",
            "SECURITY.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "docs",
            "deploy",
            "api/src/main",
            "core/src/main",
            "server/src/main",
            "cli/src/main",
            "bench/src/main",
            "api/src/test",
            "core/src/test",
            "server/src/test",
            "cli/src/test",
            "bench/src/test",
            "e2e/src/test");

    private static final Pattern TEXT_FILE = Pattern.compile(".*\\.(md|json|ya?ml|tpl|txt|properties)");

    /** Character literals are matched only so that a quote in them opens no string. */
    private static final Pattern JAVA_TOKEN =
            Pattern.compile("(?s)(?<comment>//[^\n]*+|/\\*.*?\\*/)|'(?:\\\\.|[^'\\\\])++'"
                    + "|\"\"\"(?<block>.*?)(?<!\\\\)\"\"\"|\"(?<string>[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+)\"");

    private static final Pattern COMMENT_MARKS = Pattern.compile("(?m)^[ \t]*\\*(?!/)|^//|^/\\*+|\\*/");

    private record Word(String text, String instead, Pattern pattern) {
        Word(String text, String instead) {
            this(text, instead, Pattern.compile("(?i)(?<![\\w-])" + text.replace(" ", "\\s+") + "(?![\\w-])"));
        }
    }

    private Words() {}

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Path list = root.resolve("build-tools/words-allowed.tsv");
        Map<String, Integer> allowed = new TreeMap<>();
        rows(list).forEach(row -> allowed.put(row[1] + "\t" + row[2], Integer.parseInt(row[0])));
        Map<String, List<String>> found = find(root);
        if (args.length > 1 && args[1].equals("--lower")) {
            List<String> lines = new ArrayList<>(
                    List.of("# How often a file may use a word of words.tsv. Released templates keep their bytes."));
            allowed.forEach((key, most) -> {
                int count = Math.min(most, found.getOrDefault(key, List.of()).size());
                if (count > 0) {
                    lines.add(count + "\t" + key);
                }
            });
            Files.write(list, lines);
            return;
        }
        boolean ok = true;
        TreeSet<String> keys = new TreeSet<>(found.keySet());
        keys.addAll(allowed.keySet());
        for (String key : keys) {
            List<String> places = found.getOrDefault(key, List.of());
            int most = allowed.getOrDefault(key, 0);
            if (places.size() > most) {
                ok = false;
                places.forEach(place -> System.out.println("[ERROR] " + place));
            } else if (places.size() < most) {
                ok = false;
                System.out.println("[ERROR] words-allowed.tsv allows more than there is of " + key.replace('\t', ' ')
                        + ": run java build-tools/Words.java . --lower");
            }
        }
        System.exit(ok ? 0 : 1);
    }

    /** File and word, to each place where the file uses it. */
    private static Map<String, List<String>> find(Path root) throws IOException {
        List<Word> words = rows(root.resolve("build-tools/words.tsv"))
                .map(row -> new Word(row[0], row[1]))
                .toList();
        Map<String, List<String>> found = new LinkedHashMap<>();
        for (String place : PLACES) {
            try (Stream<Path> files = Files.walk(root.resolve(place))) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    String name = root.relativize(file).toString();
                    String text = text(file);
                    for (Word word : words) {
                        word.pattern()
                                .matcher(text)
                                .results()
                                .forEach(match -> found.computeIfAbsent(
                                                name + "\t" + word.text(), key -> new ArrayList<>())
                                        .add(name + ":" + line(text, match) + " says \""
                                                + match.group().replaceAll("\\s+", " ") + "\"; say " + word.instead()));
                    }
                }
            }
        }
        return found;
    }

    private static long line(String text, MatchResult match) {
        return 1 + text.chars().limit(match.start()).filter(c -> c == '\n').count();
    }

    /** What people read of a file, with everything else blank so that lines keep their numbers. */
    private static String text(Path file) throws IOException {
        boolean isTest = file.toString().contains("/src/test/");
        if (!isTest && TEXT_FILE.matcher(file.toString()).matches()) {
            return Files.readString(file);
        }
        if (!file.toString().endsWith(".java")) {
            return "";
        }
        String source = Files.readString(file);
        StringBuilder text = new StringBuilder(source.replaceAll("[^\n]", " "));
        JAVA_TOKEN.matcher(source).results().forEach(token -> {
            if (token.group("comment") != null) {
                String comment = COMMENT_MARKS
                        .matcher(token.group())
                        .replaceAll(mark -> " ".repeat(mark.group().length()));
                text.replace(token.start(), token.end(), comment);
            }
            String group = token.group("block") != null ? "block" : "string";
            if (!isTest && token.group(group) != null) {
                text.replace(token.start(group), token.end(group), token.group(group));
            }
        });
        return text.toString();
    }

    private static Stream<String[]> rows(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t"));
    }
}
