package dev.homeport.cli.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command there is. Only the one that was asked for is loaded. */
public final class Commands {
    private Commands() {}

    /** A command's name, and where it stands in the help. */
    private record Entry(String name, Heading heading) {
        /** By its name, so that only the class of the command that was typed is loaded. */
        Class<?> type() {
            StringBuilder simple = new StringBuilder();
            for (String word : name.split("-", -1)) {
                simple.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
            simple.append("Command");
            try {
                return Class.forName("dev.homeport.cli." + heading.folder() + "." + simple);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("there is no class " + simple, e);
            }
        }
    }

    /** A group of commands in the help, and the package of their classes. */
    private record Heading(String title, String folder) {}

    private static final Heading LOOK = new Heading("Look around", "look");
    private static final Heading CHANGE = new Heading("Change", "change");
    private static final Heading LIFE = new Heading("A cluster's life", "lifecycle");
    private static final Heading UNDO = new Heading("Audit and undo", "history");
    private static final Heading SETUP = new Heading("Servers and access", "setup");

    private static final List<Entry> ALL = List.of(
            new Entry("get", LOOK),
            new Entry("describe", LOOK),
            new Entry("explain", LOOK),
            new Entry("payload", LOOK),
            new Entry("delivery", LOOK),
            new Entry("findings", LOOK),
            new Entry("probe", LOOK),
            new Entry("tree", LOOK),
            new Entry("compare", LOOK),
            new Entry("events", LOOK),
            new Entry("types", LOOK),
            new Entry("doctor", LOOK),
            new Entry("apply", CHANGE),
            new Entry("diff", CHANGE),
            new Entry("create", CHANGE),
            new Entry("edit", CHANGE),
            new Entry("patch", CHANGE),
            new Entry("label", CHANGE),
            new Entry("delete", CHANGE),
            new Entry("catalog", CHANGE),
            new Entry("assign", CHANGE),
            new Entry("unassign", CHANGE),
            new Entry("pin", CHANGE),
            new Entry("unpin", CHANGE),
            new Entry("hotfix", CHANGE),
            new Entry("promote", CHANGE),
            new Entry("freeze", CHANGE),
            new Entry("unfreeze", CHANGE),
            new Entry("adopt", LIFE),
            new Entry("bootstrap", LIFE),
            new Entry("clone", LIFE),
            new Entry("pause", LIFE),
            new Entry("resume", LIFE),
            new Entry("decommission", LIFE),
            new Entry("undelete", LIFE),
            new Entry("detach", LIFE),
            new Entry("purge", LIFE),
            new Entry("repair", LIFE),
            new Entry("audit", UNDO),
            new Entry("history", UNDO),
            new Entry("revert", UNDO),
            new Entry("restore", UNDO),
            new Entry("export", UNDO),
            new Entry("import", UNDO),
            new Entry("git-layout", UNDO),
            new Entry("login", SETUP),
            new Entry("logout", SETUP),
            new Entry("context", SETUP),
            new Entry("whoami", SETUP),
            new Entry("can-i", SETUP),
            new Entry("join", SETUP),
            new Entry("token", SETUP),
            new Entry("completion", SETUP),
            new Entry("openapi", SETUP),
            new Entry("metrics", SETUP),
            new Entry("api", SETUP),
            new Entry("version", SETUP),
            new Entry("reference", SETUP));

    /** Flags that people put before the command; with how many words follow. */
    private static final Map<String, Integer> GLOBAL = Map.of(
            "--context",
            1,
            "--server",
            1,
            "--certificate-authority",
            1,
            "--request-timeout",
            1,
            "-v",
            0,
            "--verbose",
            0,
            "--no-input",
            0);

    /** The commands under each heading, in order. */
    public static Map<String, List<String>> byHeading() {
        Map<String, List<String>> headings = new LinkedHashMap<>();
        ALL.forEach(entry -> headings.computeIfAbsent(entry.heading().title(), heading -> new ArrayList<>())
                .add(entry.name()));
        return headings;
    }

    /** Which commands are needed for what was typed. */
    public record Choice(List<String> arguments, Optional<String> only) {
        static final Choice ALL_OF_THEM = new Choice(List.of(), Optional.empty());

        /** Whether this is a command that nearly always does. */
        public boolean asksTheServer() {
            return ALL.stream()
                    .anyMatch(entry -> only.isPresent()
                            && entry.name().equals(only.get())
                            && !entry.heading().equals(SETUP));
        }

        public void addTo(CommandLine root, CommandLine.IFactory factory) {
            for (Entry entry : ALL) {
                if (only.isEmpty() || only.get().equals(entry.name())) {
                    root.addSubcommand(entry.name(), new CommandLine(entry.type(), factory));
                }
            }
            root.getSubcommands().values().forEach(command -> addHelp(command.getCommandSpec()));
        }

        private static void addHelp(CommandSpec command) {
            if (command.findOption("--help") == null) {
                command.addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
            }
            command.subcommands().values().forEach(below -> addHelp(below.getCommandSpec()));
        }
    }

    /** Flags of every command may stand in front of it, as people are used to. */
    public static Choice choose(String[] typed) {
        List<String> words = new ArrayList<>(Arrays.asList(typed));
        List<String> moved = new ArrayList<>();
        while (!words.isEmpty()) {
            String first = words.getFirst();
            Integer follow = GLOBAL.get(first.contains("=") ? first.substring(0, first.indexOf('=')) : first);
            if (follow == null || words.size() < 2) {
                break;
            }
            moved.add(words.removeFirst());
            if (follow == 1 && !first.contains("=")) {
                moved.add(words.removeFirst());
            }
        }
        int end = words.indexOf("--");
        words.addAll(end < 0 ? words.size() : end, moved);
        Set<String> names = Set.copyOf(ALL.stream().map(Entry::name).toList());
        boolean known = !words.isEmpty() && names.contains(words.getFirst());
        if (!known && !words.isEmpty() && !words.getFirst().startsWith("-")) {
            // What follows a word that is no command must not be taken for one.
            return new Choice(List.of(words.getFirst()), Optional.empty());
        }
        return new Choice(List.copyOf(words), known ? Optional.of(words.getFirst()) : Optional.empty());
    }
}
