package dev.homeport.cli.setup;

import dev.homeport.cli.login.CiToken;
import dev.homeport.cli.login.ClientCertificateOptions;
import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.ProviderTokens;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.TextTable;
import dev.homeport.cli.terminal.UsageProblem;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport context …}: the servers that this user knows. */
@Command(
        name = "context",
        description = "Manage contexts: servers and their tokens.",
        subcommands = {
            ContextCommand.Add.class,
            ContextCommand.Use.class,
            ContextCommand.Show.class,
            ContextCommand.Set.class,
            ContextCommand.Remove.class
        })
final class ContextCommand {

    @Command(name = "add", description = "Add a server and make it the current one.")
    static final class Add implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "NAME", description = "The context's name.")
        String name;

        @Parameters(index = "1", paramLabel = "URL", description = "The server's address.")
        String url;

        @Option(names = "--token-stdin", description = "Read the token from standard input.")
        boolean tokenFromInput;

        @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the certificate authority to trust.")
        @Nullable
        String authority;

        @Mixin
        ClientCertificateOptions clientCertificate;

        private final ProcessEnvironment process;

        Add(ProcessEnvironment process) {
            this.process = process;
        }

        @Override
        public Integer call() {
            Optional<String> token =
                    tokenFromInput ? Optional.of(process.readAll()) : process.variable("HOMEPORT_TOKEN");
            URI server = ServerOptions.url(url);
            Contexts.Context context = clientCertificate
                    .in(Contexts.Context.of(Contexts.name(name), server.toString()), server)
                    .with("token", token.map(LoginCommand::token).orElse(""))
                    .with("ca", LoginCommand.absolute(authority));
            String where = new TokenStore(process).put(context);
            if (!where.isEmpty()) {
                process.err().println("the token is " + where);
            }
            return ExitCodes.DONE;
        }
    }

    @Command(name = "use", description = "Make a context the current one.")
    static final class Use implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "The context.")
        String name;

        private final ProcessEnvironment process;

        Use(ProcessEnvironment process) {
            this.process = process;
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(process);
            contexts.use(contexts.get(name).name());
            return ExitCodes.DONE;
        }
    }

    @Command(name = "list", description = "List contexts; a star marks the current one.")
    static final class Show implements Callable<Integer> {
        @Mixin
        OutputOptions output;

        private final ProcessEnvironment process;

        Show(ProcessEnvironment process) {
            this.process = process;
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(process);
            String current = contexts.current().orElse("");
            if (output.isChosen()) {
                List<JsonNode> known = new ArrayList<>();
                contexts.all()
                        .values()
                        .forEach(context -> known.add(
                                json(context).put("current", context.name().equals(current))));
                output.print("context", known, true);
                return ExitCodes.DONE;
            }
            TextTable table = new TextTable();
            contexts.all()
                    .values()
                    .forEach(context -> table.row(List.of(
                            (context.name().equals(current) ? "* " : "  ") + context.name(),
                            context.server(),
                            CiToken.of(context).isPresent()
                                    ? "signed in by its CI job"
                                    : context.isSignedIn() ? "signed in" : "no token",
                            context.setting("workspace").orElse(""))));
            table.lines().forEach(process.out()::println);
            return ExitCodes.DONE;
        }

        /** Lists the fields that are not secret, so that a field added later is not shown by default. */
        private static ObjectNode json(Contexts.Context context) {
            ObjectNode json = JsonMapper.shared()
                    .createObjectNode()
                    .put("name", context.name())
                    .put("server", context.server())
                    .put(
                            "sign_in",
                            CiToken.of(context).isPresent() ? "ci_job" : context.isSignedIn() ? "token" : "none");
            for (String setting :
                    List.of("ca", "client_certificate", "client_key", "workspace", "output", "confirm_over")) {
                context.setting(setting).ifPresent(value -> json.put(setting, value));
            }
            return json;
        }
    }

    @Command(
            name = "set",
            description =
                    "Change settings of a context: server, ca, client_certificate, client_key, workspace, output or"
                            + " confirm_over.")
    static final class Set implements Callable<Integer> {
        @Parameters(index = "0", paramLabel = "NAME", description = "The context.")
        String name;

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "KEY=VALUE",
                description = "An empty value removes the setting.")
        List<String> settings;

        private final ProcessEnvironment process;

        Set(ProcessEnvironment process) {
            this.process = process;
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(process);
            try (var _ = contexts.turn()) {
                Contexts.Context context = changed(contexts.get(name));
                Optional<Contexts.Context> before = contexts.replace(context);
                return TokenStore.inKeyring(context) || new TokenStore(process).forget(before)
                        ? ExitCodes.DONE
                        : ExitCodes.FAILED;
            }
        }

        private Contexts.Context changed(Contexts.Context before) {
            Contexts.Context context = before;
            for (String setting : settings) {
                String[] parts = setting.split("=", 2);
                if (parts.length < 2 || !Contexts.Context.SETTINGS.contains(parts[0])) {
                    throw new UsageProblem(
                            setting.startsWith("token")
                                    ? "a token never comes by flag: use homeport login"
                                    : setting + " is not KEY=VALUE with one of the keys "
                                            + String.join(", ", new TreeSet<>(Contexts.Context.SETTINGS)));
                }
                context = context.with(parts[0], value(parts[0], parts[1]));
                if (parts[0].equals("server")) {
                    context = ProviderTokens.forgotten(context); // they are for the server before
                }
            }
            return context;
        }

        private String value(String key, String given) {
            if (key.equals("server")) {
                return ServerOptions.url(given).toString();
            }
            return Contexts.Context.FILES.contains(key) && !given.isEmpty()
                    ? process.file(given).toAbsolutePath().normalize().toString()
                    : given;
        }
    }

    @Command(name = "remove", description = "Remove a context and its token.")
    static final class Remove implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "The context.")
        String name;

        private final ProcessEnvironment process;

        Remove(ProcessEnvironment process) {
            this.process = process;
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(process);
            return new TokenStore(process)
                            .forget(contexts.remove(contexts.get(name).name()))
                    ? ExitCodes.DONE
                    : ExitCodes.FAILED;
        }
    }
}
