package dev.homeport.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of docs/howto as the steps that its reader takes. What a fenced block is, is said behind its three ticks:
 *
 * <ul>
 *   <li>{@code sh}: commands that are run; {@code sh exit=2}: the last of them ends with that code; {@code sh server=NAME}: one
 *       that goes on running
 *   <li>{@code text} behind it: what was printed, where {@code …} stands for anything
 *   <li>{@code yaml NAME}: a file
 *   <li>{@code sql NAME}: what the administrator does in that database
 *   <li>{@code console}: what is done on another machine, so not by us
 * </ul>
 *
 * <p>{@code <!-- try: … -->} says what is there before, {@code <!-- stop NAME -->} that such a server ends.
 */
record HowtoPage(Path file, Stage stage, List<Step> steps) {
    private static final Pattern TRY = Pattern.compile("<!-- try: ([a-z]+) -->");
    private static final Pattern STOP = Pattern.compile("<!-- stop ([a-z-]+) -->");
    private static final Pattern EXIT = Pattern.compile("exit=([0-9]+)");
    private static final Pattern SERVER = Pattern.compile("server=([a-z-]+)");

    /** What is there when a page begins. */
    enum Stage {
        /** Nothing that could be run here. */
        NONE,
        /** A server, a signed-in user, and an empty fleet. */
        EMPTY,
        /** The same with the example's fleet. */
        FLEET,
        /** A machine, and the script as its users have it. */
        HOST,
        /** The same with a PostgreSQL. */
        POSTGRES
    }

    /** Line numbers are those of the page, for messages. */
    sealed interface Step {
        int line();

        record Run(int line, String script, int exit) implements Step {}

        record Serve(int line, String name, String script) implements Step {}

        record Stop(int line, String name) implements Step {}

        record Printed(int line, List<String> lines) implements Step {}

        record Wrote(int line, String name, String text) implements Step {}

        record Sql(int line, String database, String text) implements Step {}

        record Elsewhere(int line, String script) implements Step {}
    }

    static HowtoPage read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Stage stage = lines.stream()
                .map(TRY::matcher)
                .filter(Matcher::find)
                .map(found -> Stage.valueOf(found.group(1).toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " does not say what it is tried with: <!-- try: … -->"));
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher stop = STOP.matcher(lines.get(i));
            if (stop.find()) {
                steps.add(new Step.Stop(i + 1, stop.group(1)));
            }
            if (lines.get(i).startsWith("```")) {
                int end = i + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                block(i + 1, lines.get(i).substring(3).strip(), lines.subList(i + 1, end), steps);
                i = end;
            }
        }
        return new HowtoPage(file, stage, List.copyOf(steps));
    }

    private static void block(int line, String info, List<String> content, List<Step> steps) {
        List<String> words = Arrays.asList(info.split(" +", -1));
        String text = String.join("\n", content) + "\n";
        switch (words.getFirst()) {
            case "sh" -> {
                Matcher server = SERVER.matcher(info);
                Matcher exit = EXIT.matcher(info);
                steps.add(
                        server.find()
                                ? new Step.Serve(line, server.group(1), text)
                                : new Step.Run(line, text, exit.find() ? Integer.parseInt(exit.group(1)) : 0));
            }
            case "text" -> steps.add(new Step.Printed(line, List.copyOf(content)));
            case "sql" -> steps.add(new Step.Sql(line, words.size() > 1 ? words.get(1) : "postgres", text));
            case "console" -> steps.add(new Step.Elsewhere(line, text));
            default -> {
                if (words.size() > 1) {
                    steps.add(new Step.Wrote(line, words.get(1), text));
                }
            }
        }
    }

    /** The page with these blocks of output in the place of those in the same lines. */
    void rewrite(List<Step.Printed> printed) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        for (Step.Printed block : printed.reversed()) {
            int end = block.line();
            while (!lines.get(end).equals("```")) {
                end++;
            }
            lines.subList(block.line(), end).clear();
            lines.addAll(block.line(), block.lines());
        }
        Files.write(file, lines);
    }
}
