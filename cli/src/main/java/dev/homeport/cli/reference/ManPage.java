package dev.homeport.cli.reference;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A page for man(1). */
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage(String name, String description) {
        page.append(".\\\" Made by ./homeport reference docs; a test fails when it is old.\n");
        page.append(".TH ").append(name.toUpperCase(java.util.Locale.ROOT)).append(" 1 \"\" Homeport \"Homeport\"\n");
        page.append(".SH NAME\n")
                .append(text(name))
                .append(" \\- ")
                .append(text(description))
                .append('\n');
    }

    static String ofRoot(CommandSpec root) {
        ManPage man = new ManPage("homeport", CommandPages.description(root));
        man.page.append(".SH SYNOPSIS\n.B homeport\nCOMMAND\n.SH COMMANDS\n");
        for (CommandSpec command : CommandPages.all(root)) {
            man.item(command.qualifiedName(" "), CommandPages.description(command));
        }
        man.page.append(".SH EXIT STATUS\n");
        man.item("0", "Done; for diff: no difference.");
        man.item("1", "Failed; for diff and compare: differs.");
        man.item("2", "Wrong usage; for diff: error.");
        man.item("3", "Conflict: the revision moved on.");
        man.item("4", "Login needed.");
        man.item("5", "Refused.");
        man.item("6", "Timed out while waiting.");
        man.item("8", "Server unreachable.");
        man.page.append(".SH FILES\n");
        man.item(
                "$XDG_CONFIG_HOME/homeport/config.yaml",
                "Contexts, and tokens that are not in a keyring; readable by you alone.");
        man.item("$XDG_CACHE_HOME/homeport/names", "Names for completion.");
        return man.page.toString();
    }

    static String of(CommandSpec command) {
        ManPage man = new ManPage(command.qualifiedName("-"), CommandPages.description(command));
        man.page
                .append(".SH SYNOPSIS\n")
                .append(text(CommandPages.synopsis(command)))
                .append('\n');
        if (!command.positionalParameters().isEmpty()
                || !CommandPages.options(command).isEmpty()) {
            man.page.append(".SH OPTIONS\n");
        }
        command.positionalParameters()
                .forEach(parameter -> man.item(parameter.paramLabel(), String.join(" ", parameter.description())));
        for (OptionSpec option : CommandPages.options(command)) {
            man.item(CommandPages.spelled(option), String.join(" ", option.description()));
        }
        if (command.usageMessage().footer().length > 0) {
            man.page.append(".SH NOTES\n.nf\n");
            String.join("\n", command.usageMessage().footer())
                    .strip()
                    .lines()
                    .forEach(line -> man.page.append(text(line)).append('\n'));
            man.page.append(".fi\n");
        }
        man.page.append(".SH SEE ALSO\nhomeport(1)\n");
        return man.page.toString();
    }

    private void item(String term, String meaning) {
        page.append(".TP\n.B ")
                .append(text(term))
                .append('\n')
                .append(text(meaning))
                .append('\n');
    }

    private static String text(String plain) {
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
