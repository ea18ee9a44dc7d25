package dev.homeport.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code homeport context …}: the servers that this user knows. */
@Command(
        name = "context",
        description = "Adds, lists and chooses servers.",
        subcommands = {ContextCommand.Add.class, ContextCommand.Use.class, ContextCommand.Show.class})
final class ContextCommand {

    @Command(name = "add", description = "Adds a server and makes it the current one.")
    static final class Add implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "NAME")
        String name;

        @Parameters(index = "1", paramLabel = "URL")
        String url;

        @Option(names = "--token-stdin", description = "Read the token from standard input.")
        boolean tokenFromInput;

        @Override
        public Integer call() throws IOException {
            Optional<String> token = tokenFromInput
                    ? Optional.of(new String(System.in.readAllBytes(), StandardCharsets.UTF_8).strip())
                    : Optional.ofNullable(System.getenv("HOMEPORT_TOKEN"));
            Contexts.ofUser().put(new Contexts.Context(name, url, token));
            return 0;
        }
    }

    @Command(name = "use", description = "Makes a context the current one.")
    static final class Use implements Callable<Integer> {
        @Parameters(paramLabel = "NAME")
        String name;

        @Override
        public Integer call() {
            Contexts contexts = Contexts.ofUser();
            if (contexts.find(name).isEmpty()) {
                throw new UsageProblem("there is no context " + name);
            }
            contexts.use(name);
            return 0;
        }
    }

    @Command(name = "list", description = "Lists the contexts; a star marks the current one.")
    static final class Show implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            Contexts contexts = Contexts.ofUser();
            String current = contexts.current().orElse("");
            contexts.read()
                    .path("contexts")
                    .forEachEntry((name, context) -> spec.commandLine()
                            .getOut()
                            .println((name.equals(current) ? "* " : "  ") + name + "  "
                                    + context.path("server").asString("")));
            return 0;
        }
    }
}
