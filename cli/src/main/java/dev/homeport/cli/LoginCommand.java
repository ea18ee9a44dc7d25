package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.cli.terminal.Prompt;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Surroundings;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport login URL}: tries a token and keeps it in a context. */
@Command(
        name = "login",
        description = "Signs in at a server and keeps that as a context.",
        footer = {
            "",
            "The token is read from standard input (--token-stdin), from HOMEPORT_TOKEN, or asked for;",
            "it never comes by flag, where others could see it.",
            "",
            "Examples:",
            "  homeport login https://homeport.example.com",
            "  homeport login https://homeport.example.com --token-stdin < token"
        })
final class LoginCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "The server's address.")
    String url;

    @Option(names = "--name", paramLabel = "NAME", description = "What to call the context; default the host's name.")
    @Nullable
    String name;

    @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the certificate authority to trust.")
    @Nullable
    String authority;

    @Option(names = "--token-stdin", description = "Read the token from standard input.")
    boolean tokenFromInput;

    @Option(names = "--no-input", description = "Never ask.")
    boolean noInput;

    private final Surroundings surroundings;

    LoginCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        URI server = ServerOptions.url(url);
        SignIn signIn = this::token;
        String token = signIn.token();
        Optional<Path> ca =
                Optional.of(absolute(authority)).filter(path -> !path.isEmpty()).map(Path::of);
        JsonNode me = new HomeportClient(new ServerAddress(server, Optional.of(token), ca, line -> {}))
                .get("/api/v2/me")
                .body();
        String context = name == null ? server.getHost() : name;
        Contexts contexts = Contexts.of(surroundings);
        Contexts.Context known = contexts.find(context).orElse(Contexts.Context.of(context, ""));
        contexts.put(known.with("server", server.toString())
                .with("token", token)
                .with("ca", ca.map(Path::toString).orElse("")));
        surroundings
                .err()
                .println("signed in at " + server + " as "
                        + SafeText.line(me.path("actor").asString("?")) + " ("
                        + SafeText.line(me.path("access").asString("?")) + "); context " + context);
        return ExitCodes.DONE;
    }

    /** How somebody proves who he is; what it gives is kept and sent as a bearer token. */
    interface SignIn {
        String token();
    }

    private String token() {
        Optional<String> given =
                tokenFromInput ? Optional.of(surroundings.readAll()) : surroundings.variable("HOMEPORT_TOKEN");
        if (given.isEmpty() && surroundings.terminals().in() && !noInput) {
            given = new Prompt(surroundings).askSecret("Token: ");
        }
        return given.map(String::strip)
                .filter(token -> token.matches("[\\x21-\\x7E]{1,4096}"))
                .orElseThrow(
                        () -> new UsageProblem("there is no token: pipe it to --token-stdin, or set HOMEPORT_TOKEN"));
    }

    static String absolute(@Nullable String file) {
        return file == null ? "" : Path.of(file).toAbsolutePath().normalize().toString();
    }
}
