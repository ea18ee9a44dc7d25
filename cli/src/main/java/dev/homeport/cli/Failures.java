package dev.homeport.cli;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import dev.homeport.cli.terminal.Surroundings;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import picocli.CommandLine;

/** Says on stderr what went wrong and what to do next, and gives the exit code that belongs to it. */
final class Failures implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    private static final int MOST_LINES = 20;

    private final PrintStream err;
    private final Style style;

    Failures(Surroundings surroundings) {
        this.err = surroundings.err();
        this.style = surroundings.style(true);
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        switch (failure) {
            case ApiProblem problem -> {
                print(problem);
                return problem.code().exitCode();
            }
            case ServerUnreachable unreachable -> {
                print(unreachable);
                return ExitCodes.UNREACHABLE;
            }
            case Ended ended -> {
                error(ended);
                return ended.exitCode();
            }
            case UsageProblem usage -> {
                error(usage);
                return ExitCodes.USAGE;
            }
            case UncheckedIOException io -> {
                error(io);
                return ExitCodes.FAILED;
            }
            default -> throw failure;
        }
    }

    @Override
    public int handleParseException(CommandLine.ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        error(wrong);
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr())) {
            next("see " + command.getCommandSpec().qualifiedName(" ") + " --help");
        }
        command.getErr().flush();
        return ExitCodes.USAGE;
    }

    /** Says what went wrong and what to do next. */
    void print(RuntimeException failure) {
        switch (failure) {
            case ApiProblem problem -> refused(problem);
            case ServerUnreachable unreachable -> {
                error(unreachable);
                next(unreachable.next());
            }
            default -> error(failure);
        }
    }

    private void refused(ApiProblem problem) {
        error(problem);
        problem.violations().stream().limit(MOST_LINES).forEach(line -> err.println("  " + SafeText.line(line)));
        int more = problem.violations().size() - MOST_LINES;
        if (more > 0) {
            err.println("  and " + more + " more");
        }
        problem.involved().stream().limit(MOST_LINES).forEach(line -> err.println("  " + SafeText.line(line)));
        if (problem.code() == ErrorCode.UNAUTHENTICATED) {
            next("sign in with: homeport login URL (or set HOMEPORT_TOKEN)");
        } else if (!problem.next().isEmpty()) {
            next(problem.next());
        }
        String request = problem.body().path("request_id").asString("");
        if (problem.code() == ErrorCode.INTERNAL && !request.isEmpty()) {
            err.println("       the server's log has more about request " + SafeText.line(request));
        }
        err.flush();
    }

    private void error(Exception failure) {
        err.println(style.red("error:") + " " + SafeText.line(String.valueOf(failure.getMessage())));
        err.flush();
    }

    private void next(String text) {
        err.println("next:  " + SafeText.line(text));
        err.flush();
    }
}
