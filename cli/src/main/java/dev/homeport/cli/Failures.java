package dev.homeport.cli;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ServerUnreachable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;

/** Says on stderr what went wrong and what to do next, and gives the exit code that belongs to it. */
final class Failures implements CommandLine.IExecutionExceptionHandler {
    static final int UNREACHABLE = 8;
    static final int USAGE = 2;

    @Override
    public int handleExecutionException(Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        PrintWriter err = commandLine.getErr();
        switch (failure) {
            case ApiProblem problem -> {
                err.println("error: " + problem.getMessage());
                problem.violations().forEach(line -> err.println("  " + line));
                if (!problem.next().isEmpty()) {
                    err.println("next:  " + problem.next());
                }
                return problem.code().exitCode();
            }
            case ServerUnreachable unreachable -> {
                err.println("error: " + unreachable.getMessage());
                err.println("next:  check the address and whether the server runs");
                return UNREACHABLE;
            }
            case UsageProblem usage -> {
                err.println("error: " + usage.getMessage());
                return USAGE;
            }
            case UncheckedIOException io -> {
                err.println("error: " + io.getMessage());
                return 1;
            }
            default -> throw failure;
        }
    }
}
