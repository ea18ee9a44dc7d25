package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server: a flag before a variable before the current context. Tokens never come by flag. */
final class ServerOptions {
    @Option(names = "--context", paramLabel = "NAME", description = "The context to use instead of the current one.")
    @Nullable
    String context;

    @Option(names = "--server", paramLabel = "URL", description = "The server's address.")
    @Nullable
    String server;

    HomeportClient client() {
        Contexts contexts = Contexts.ofUser();
        Optional<Contexts.Context> known =
                chosen(context, "HOMEPORT_CONTEXT").or(contexts::current).flatMap(contexts::find);
        String address = chosen(server, "HOMEPORT_SERVER")
                .or(() -> known.map(Contexts.Context::server))
                .orElseThrow(() -> new UsageProblem(
                        "no server: add one with `homeport context add NAME URL`, or set HOMEPORT_SERVER"));
        Optional<String> token = chosen(null, "HOMEPORT_TOKEN").or(() -> known.flatMap(Contexts.Context::token));
        return new HomeportClient(URI.create(address), token);
    }

    private static Optional<String> chosen(@Nullable String flag, String variable) {
        String value = flag != null ? flag : System.getenv(variable);
        return Optional.ofNullable(value).filter(text -> !text.isEmpty());
    }
}
