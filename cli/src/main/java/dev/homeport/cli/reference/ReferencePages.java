package dev.homeport.cli.reference;

import dev.homeport.cli.program.Commands;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual, by file name: one page in Markdown, and a man page for each command. */
public final class ReferencePages {
    private static final String EXIT_CODES = """
            | Code | Meaning | Code | Meaning |
            |---|---|---|---|
            | 0 | done; for `diff`: no difference | 5 | refused: role, freeze, confirmation |
            | 1 | failed; for `diff` and `compare`: differs | 6 | timed out while waiting |
            | 2 | wrong usage; for `diff`: error | 7 | partly done |
            | 3 | conflict: the revision moved on | 8 | server unreachable |
            | 4 | login needed | 130, 141 | Ctrl-C, reader gone |
            """;

    private static final String VARIABLES = """
            | Variable | Meaning |
            |---|---|
            | `HOMEPORT_CONTEXT`, `HOMEPORT_SERVER`, `HOMEPORT_TOKEN`, `HOMEPORT_CA`, `HOMEPORT_CLIENT_CERTIFICATE`, `HOMEPORT_CLIENT_KEY`, `HOMEPORT_WORKSPACE` | before the context, after a flag |
            | `HOMEPORT_REASON` | the reason of every change |
            | `HOMEPORT_CONFIRM_OVER` | from how many clusters on a change is confirmed; default 25 |
            | `HOMEPORT_KEYRING` | where `login` keeps a token: `on` in the keyring, `off` in the file; default in the keyring if one works |
            | `XDG_CONFIG_HOME`, `XDG_CACHE_HOME` | where contexts and the names for completion are |
            | `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, `HOMEPORT_FORCE_TTY` | colours and progress |
            """;

    private ReferencePages() {}

    public static Map<String, String> of(CommandSpec root) {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("cli.md", markdown(root));
        pages.put("man/homeport.1", ManPage.ofRoot(root));
        for (CommandSpec command : CommandPages.all(root)) {
            pages.put("man/" + command.qualifiedName("-") + ".1", ManPage.of(command));
        }
        return pages;
    }

    private static String markdown(CommandSpec root) {
        StringBuilder page = new StringBuilder("""
                # The command line

                <!-- Made by `./homeport reference docs`; a test fails when it is old. -->

                Data goes to stdout, everything else to stderr. JSON and YAML are the API's objects, which is a promise; tables
                are for eyes. Every change is planned first: the plan is shown, confirmed where it takes much away, changes more
                than 25 clusters or a protected one, and what is committed is what was shown. Without a terminal nothing is
                asked: then `--yes` confirms.

                """);
        page.append(EXIT_CODES).append('\n').append(VARIABLES).append('\n');
        Commands.byHeading().forEach((heading, names) -> {
            page.append("## ").append(heading).append("\n\n");
            for (String name : names) {
                CommandSpec command =
                        Objects.requireNonNull(root.subcommands().get(name)).getCommandSpec();
                if (command.usageMessage().hidden()) {
                    continue;
                }
                section(command, page);
                CommandPages.all(command).forEach(below -> section(below, page));
            }
        });
        return page.toString().stripTrailing() + "\n";
    }

    private static void section(CommandSpec command, StringBuilder page) {
        page.append("### ").append(command.qualifiedName(" ")).append("\n\n");
        page.append(CommandPages.description(command)).append("\n\n");
        page.append("```text\n").append(CommandPages.synopsis(command)).append("\n```\n\n");
        if (!command.subcommands().isEmpty()) {
            return;
        }
        page.append("| Option | Meaning |\n|---|---|\n");
        command.positionalParameters()
                .forEach(parameter -> row(parameter.paramLabel(), List.of(parameter.description()), page));
        for (OptionSpec option : CommandPages.options(command)) {
            row(CommandPages.spelled(option), List.of(option.description()), page);
        }
        page.append('\n');
        String[] footer = command.usageMessage().footer();
        if (footer.length > 0) {
            page.append("```text\n").append(String.join("\n", footer).strip()).append("\n```\n\n");
        }
    }

    private static void row(String name, List<String> description, StringBuilder page) {
        page.append("| `")
                .append(name.replace("|", "\\|"))
                .append("` | ")
                .append(String.join(" ", description).replace("|", "\\|"))
                .append(" |\n");
    }
}
