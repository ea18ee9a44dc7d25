package dev.homeport.cli.reference;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The commands as pages: each with its words, in the order of the help. */
final class CommandPages {
    private CommandPages() {}

    /** Every command below, deep first, without hidden ones. */
    static List<CommandSpec> all(CommandSpec root) {
        List<CommandSpec> all = new ArrayList<>();
        for (CommandLine below : root.subcommands().values()) {
            CommandSpec spec = below.getCommandSpec();
            if (!spec.usageMessage().hidden() && !all.contains(spec)) {
                all.add(spec);
                all.addAll(all(spec));
            }
        }
        return all;
    }

    /** Without the program's name: {@code token create}. */
    static String words(CommandSpec command) {
        String name = command.qualifiedName(" ");
        int space = name.indexOf(' ');
        return space < 0 ? "" : name.substring(space + 1);
    }

    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .sorted((a, b) -> a.longestName().compareTo(b.longestName()))
                .toList();
    }

    static String description(CommandSpec command) {
        return String.join(" ", command.usageMessage().description());
    }

    /** {@code -l, --selector SELECTOR}. */
    static String spelled(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.typeInfo().isBoolean() && option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    /** {@code homeport get [OPTION…] TYPE [NAME…]}. */
    static String synopsis(CommandSpec command) {
        StringBuilder text = new StringBuilder(command.qualifiedName(" "));
        if (!command.subcommands().isEmpty()) {
            return text.append(" COMMAND").toString();
        }
        text.append(" [OPTION…]");
        command.positionalParameters().forEach(parameter -> {
            boolean optional = parameter.arity().min() == 0;
            text.append(optional ? " [" : " ")
                    .append(parameter.paramLabel())
                    .append(
                            parameter.arity().max() > 2
                                            && !parameter.paramLabel().contains("…")
                                    ? "…"
                                    : "")
                    .append(optional ? "]" : "");
        });
        return text.toString();
    }
}
