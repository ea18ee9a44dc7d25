package dev.homeport.cli.program;

import dev.homeport.cli.server.Failures;
import dev.homeport.cli.server.Version;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What all commands belong to; each is a class of its own, listed in {@link Commands}. */
@Command(
        name = "homeport",
        description = "Manage the desired state of a fleet of Flux clusters.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class RootCommand {
    private RootCommand() {}

    /** With every command, for help and for the manual. */
    public static CommandLine whole(ProcessEnvironment process) {
        return commandLine(process, Commands.Choice.ALL_OF_THEM);
    }

    /** With the commands that were chosen. */
    public static CommandLine commandLine(ProcessEnvironment process, Commands.Choice choice) {
        CommandLine.IFactory factory = new Making(process);
        CommandLine root = new CommandLine(new RootCommand(), factory);
        Failures failures = new Failures(process);
        choice.addTo(root, factory);
        return root.registerConverter(Path.class, process::file)
                .setOut(new PrintWriter(process.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(process.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Makes commands and their options, and gives them what surrounds them if they want it. */
    private record Making(ProcessEnvironment process) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            if (type == RootCommand.class) {
                return CommandLine.defaultFactory().create(type);
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == 1
                        && constructor.getParameterTypes()[0] == ProcessEnvironment.class) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(process));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
