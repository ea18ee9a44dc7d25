package dev.homeport.cli;

import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.program.Commands;
import dev.homeport.cli.program.RootCommand;
import dev.homeport.cli.server.Failures;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.DataStream;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.util.Optional;
import java.util.Set;

/** The start of the command line. */
public final class Main {
    /** Whose exit code 1 says that something differs, and nothing else. */
    private static final Set<String> COMPARING = Set.of("diff", "compare");

    private Main() {}

    public static void main(String[] args) {
        System.exit(runPrepared(ProcessEnvironment.ofProcess(), args));
    }

    /** As a process does. */
    static int runPrepared(ProcessEnvironment process, String... args) {
        Commands.Choice choice = Commands.choose(args);
        if (!choice.asksTheServer()) {
            return run(process, args);
        }
        ServerOptions.prepare(process, choice.arguments());
        try {
            return run(process, args);
        } finally {
            TokenStore.endReadAhead();
        }
    }

    static int run(ProcessEnvironment process, String... args) {
        Commands.Choice choice = Commands.choose(args);
        int exit = RootCommand.commandLine(process, choice)
                .execute(choice.arguments().toArray(String[]::new));
        process.out().flush();
        process.err().flush();
        if (!process.out().checkError()) {
            return exit;
        }
        // An incomplete answer must not pass for a complete one; but a reader that has closed the pipe is not an error.
        Optional<String> trouble = DataStream.trouble(process.out());
        if (trouble.isEmpty()) {
            return exit == ExitCodes.DONE ? ExitCodes.BROKEN_PIPE : exit;
        }
        new Failures(process).lostOutput(trouble.get());
        boolean compares = choice.only().filter(COMPARING::contains).isPresent();
        int failed = compares ? ExitCodes.USAGE : ExitCodes.FAILED;
        return exit == ExitCodes.DONE || exit == ExitCodes.DIFFERS || exit == ExitCodes.BROKEN_PIPE ? failed : exit;
    }
}
