package dev.homeport.cli.server;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Says on stderr what went wrong and what to do next, and gives the exit code that belongs to it. */
public final class Failures implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {
    private static final int MOST_LINES = 20;

    /** The document that a violation is in, as in {@code /labels: cluster/eu-1: …}. */
    private static final Pattern DOCUMENT = Pattern.compile(": ([a-z_]+/[^ :]+): ");

    private final ProcessEnvironment process;
    private final PrintStream err;
    private final Style style;

    public Failures(ProcessEnvironment process) {
        this.process = process;
        this.err = process.err();
        this.style = process.style(true);
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
            case ExitException ended -> {
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
            default -> {
                if (process.variable("HOMEPORT_DEBUG").isPresent()) {
                    throw failure;
                }
                error(new IllegalStateException("this is a fault of homeport: " + failure));
                next("run it again with HOMEPORT_DEBUG=1 and report what it prints");
                return ExitCodes.FAILED;
            }
        }
    }

    @Override
    public int handleParseException(CommandLine.ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        NotHere missing = NotHere.about(args, wrong);
        if (missing != null) {
            error(new UsageProblem(missing.what()));
            next(missing.next());
            return ExitCodes.USAGE;
        }
        if (wrong instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()
                && !command.getSubcommands().isEmpty()) {
            error(new UsageProblem("there is no command "
                    + command.getCommandSpec().qualifiedName(" ") + " "
                    + unmatched.getUnmatched().getFirst()));
        } else {
            error(wrong);
        }
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, command.getErr())) {
            next("see " + command.getCommandSpec().qualifiedName(" ") + " --help");
        }
        command.getErr().flush();
        return ExitCodes.USAGE;
    }

    /** Says what went wrong and what to do next. */
    public void print(RuntimeException failure) {
        switch (failure) {
            case ApiProblem problem -> refused(problem);
            case ServerUnreachable unreachable -> {
                error(unreachable);
                next(unreachable.next());
            }
            default -> error(failure);
        }
    }

    public void lostOutput(String why) {
        error(new IllegalStateException("not all of the output could be written: " + why));
        next("make room or write it elsewhere; what the command was to change is changed nevertheless");
    }

    private void refused(ApiProblem problem) {
        error(problem);
        List<String> violations = violations(problem);
        violations.stream().limit(MOST_LINES).forEach(line -> err.println("  " + SafeText.line(line)));
        int more = violations.size() - MOST_LINES;
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

    /** The same problem in many documents is printed once; a single problem was printed above. */
    private static List<String> violations(ApiProblem problem) {
        if (problem.violations().size() == 1) {
            return List.of();
        }
        Map<String, List<String>> places = new LinkedHashMap<>();
        for (String line : problem.violations()) {
            Matcher found = DOCUMENT.matcher(line);
            String document = found.find() ? found.group(1) : "";
            places.computeIfAbsent(found.replaceFirst(": "), text -> new ArrayList<>())
                    .add(document);
        }
        List<String> lines = new ArrayList<>();
        places.forEach((text, documents) -> lines.add(
                documents.getFirst().isEmpty()
                        ? text
                        : text.replaceFirst(
                                ": ",
                                Matcher.quoteReplacement(": " + documents.getFirst()
                                        + (documents.size() == 1 ? "" : " and " + (documents.size() - 1) + " more")
                                        + ": "))));
        return lines;
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
