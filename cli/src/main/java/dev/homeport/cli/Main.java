package dev.homeport.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line's root; each command is a class of its own. */
@Command(
        name = "homeport",
        description = "Tells clusters what to run.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        subcommands = {ApplyCommand.class, ContextCommand.class, GetCommand.class, VersionCommand.class})
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new Failures());
    }
}
