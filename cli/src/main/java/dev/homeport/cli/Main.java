package dev.homeport.cli;

import dev.homeport.cli.terminal.DataStream;
import dev.homeport.cli.terminal.Surroundings;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line's root; each command is a class of its own, listed in {@link Commands}. */
@Command(
        name = "homeport",
        description = "Manage the desired state of a fleet of Flux clusters.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class)
public final class Main {
    /** Whose exit code 1 says that something differs, and nothing else. */
    private static final Set<String> COMPARING = Set.of("diff", "compare");

    private Main() {}

    public static void main(String[] args) {
        System.exit(runPrepared(Surroundings.ofProcess(), args));
    }

    /** As a process does. */
    static int runPrepared(Surroundings surroundings, String... args) {
        Commands.Choice choice = Commands.choose(args);
        if (!choice.asksTheServer()) {
            return run(surroundings, args);
        }
        ServerOptions.prepare(surroundings, choice.arguments());
        try {
            return run(surroundings, args);
        } finally {
            TokenStore.endReadAhead();
        }
    }

    static int run(Surroundings surroundings, String... args) {
        Commands.Choice choice = Commands.choose(args);
        int exit = commandLine(surroundings, choice).execute(choice.arguments().toArray(String[]::new));
        surroundings.out().flush();
        surroundings.err().flush();
        if (!surroundings.out().checkError()) {
            return exit;
        }
        // An incomplete answer must not pass for a complete one; but a reader that has closed the pipe is not an error.
        Optional<String> trouble = DataStream.trouble(surroundings.out());
        if (trouble.isEmpty()) {
            return exit == ExitCodes.DONE ? ExitCodes.BROKEN_PIPE : exit;
        }
        new Failures(surroundings).lostOutput(trouble.get());
        boolean compares = choice.only().filter(COMPARING::contains).isPresent();
        int failed = compares ? ExitCodes.USAGE : ExitCodes.FAILED;
        return exit == ExitCodes.DONE || exit == ExitCodes.DIFFERS || exit == ExitCodes.BROKEN_PIPE ? failed : exit;
    }

    /** With every command, for help and for the manual. */
    public static CommandLine whole(Surroundings surroundings) {
        return commandLine(surroundings, Commands.Choice.ALL_OF_THEM);
    }

    private static CommandLine commandLine(Surroundings surroundings, Commands.Choice choice) {
        CommandLine.IFactory factory = new Making(surroundings);
        CommandLine root = new CommandLine(new Main(), factory);
        Failures failures = new Failures(surroundings);
        choice.addTo(root, factory);
        return root.registerConverter(Path.class, surroundings::file)
                .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Makes commands and their options, and gives them what surrounds them if they want it. */
    private record Making(Surroundings surroundings) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            if (type == Main.class) {
                return CommandLine.defaultFactory().create(type);
            }
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Surroundings.class) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(surroundings));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
