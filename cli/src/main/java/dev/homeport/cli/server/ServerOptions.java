package dev.homeport.cli.server;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.api.TlsFiles;
import dev.homeport.cli.login.ClientCertificateOptions;
import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.ProviderTokens;
import dev.homeport.cli.login.SignedIn;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.output.Times;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server: a flag before a variable before the current context. Tokens never come by flag. */
public final class ServerOptions {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    @Option(names = "--context", paramLabel = "NAME", description = "The context to use instead of the current one.")
    @Nullable
    public String context;

    @Option(names = "--server", paramLabel = "URL", description = "The server's address.")
    @Nullable
    public String server;

    @Option(
            names = "--certificate-authority",
            paramLabel = "FILE",
            description = "PEM file with the certificate authority to trust.")
    @Nullable
    public Path authority;

    @Option(
            names = "--request-timeout",
            paramLabel = "TIME",
            description = "Timeout of one request; default 5m, and 1h for downloads.")
    @Nullable
    public String requestTimeout;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print requests to the server on stderr.")
    public boolean verbose;

    private final ProcessEnvironment process;
    private final VersionSkew skew;

    /** Read once for a command; tokens, which may be renewed meanwhile, are not taken from here. */
    private Optional<Contexts.Context> settings = Optional.empty();

    /** Created once for a command, so that the user is asked only once for a token. */
    private Optional<SignedIn> signedIn = Optional.empty();

    public ServerOptions(ProcessEnvironment process) {
        this.process = process;
        this.skew = new VersionSkew(process);
    }

    public ProcessEnvironment process() {
        return process;
    }

    /**
     * Gets ready, in another thread, what a request to the current context's server takes: that is most of the time of a short
     * command, and may as well pass while the command is being read. Another server is rarely asked.
     */
    public static void prepare(ProcessEnvironment process, List<String> words) {
        Thread.ofPlatform().daemon().name("prepare").start(() -> {
            try {
                Contexts contexts = Contexts.of(process);
                process.variable("HOMEPORT_CONTEXT")
                        .or(contexts::current)
                        .flatMap(contexts::find)
                        .filter(context -> !context.server().isEmpty())
                        .ifPresent(context -> {
                            if (words.stream().noneMatch(ServerOptions::needsOtherToken)) {
                                TokenStore.readAhead(context, process);
                            }
                            HomeportClient.prepare(
                                    url(context.server()),
                                    new TlsFiles(
                                            context.setting("ca").map(Path::of),
                                            ClientCertificateOptions.chosen(process, Optional.of(context))));
                        });
            } catch (UsageProblem | UncheckedIOException e) {
                // reported by the command
            }
        });
    }

    /** Whether a command with this word may do without the current context's token: a keyring is not unlocked in vain. */
    private static boolean needsOtherToken(String word) {
        return word.startsWith("--context")
                || word.startsWith("--server")
                || word.equals("-h")
                || word.startsWith("--help");
    }

    /** The context that holds, if there is any. */
    public Optional<Contexts.Context> chosenContext() {
        Contexts contexts = Contexts.of(process);
        Optional<String> named = chosen(context, "HOMEPORT_CONTEXT");
        return named.isPresent() ? named.map(contexts::get) : contexts.current().flatMap(contexts::find);
    }

    /** A setting of the context that holds. */
    public Optional<String> setting(String key) {
        if (settings.isEmpty()) {
            settings = chosenContext();
        }
        return settings.flatMap(known -> known.setting(key));
    }

    public HomeportClient client() {
        return new HomeportClient(address());
    }

    public ServerAddress address() {
        Optional<Contexts.Context> known = chosenContext();
        settings = known;
        String text = chosen(server, "HOMEPORT_SERVER")
                .or(() -> known.map(Contexts.Context::server).filter(url -> !url.isEmpty()))
                .orElseThrow(
                        () -> new UsageProblem("no server: sign in with `homeport login URL`, or set HOMEPORT_SERVER"));
        URI url = url(text);
        // A context's token is sent to that context's server only.
        Optional<Contexts.Context> same =
                known.filter(one -> !one.server().isEmpty() && url(one.server()).equals(url));
        Optional<String> given = process.variable("HOMEPORT_TOKEN").map(ServerOptions::soundToken);
        if (signedIn.isEmpty()) {
            signedIn = same.map(one -> new SignedIn(one, process));
        }
        Optional<SignedIn> kept = signedIn;
        Supplier<Optional<String>> token = () -> given.or(() -> kept.flatMap(SignedIn::get));
        boolean open = url.getScheme().equals("http") && !isLoopback(url);
        if (open && token.get().isPresent()) {
            process.err().println("warning: the token travels to " + url.getHost() + " without encryption");
        }
        return new ServerAddress(
                url,
                token,
                new TlsFiles(
                        Optional.ofNullable(authority)
                                .or(() -> process.variable("HOMEPORT_CA").map(Path::of))
                                .or(() -> same.flatMap(one -> one.setting("ca")).map(Path::of)),
                        ClientCertificateOptions.chosen(process, same)),
                line -> {
                    if (verbose) {
                        process.err().println("> " + SafeText.line(line));
                    }
                },
                skew,
                patience(requestTimeout));
    }

    public static Optional<Duration> patience(@Nullable String requestTimeout) {
        Optional<Duration> given = Optional.ofNullable(requestTimeout).map(Times::duration);
        if (given.isPresent() && given.get().toMillis() == 0) {
            throw new UsageProblem("--request-timeout must be greater than 0; write it like 90s or 15m");
        }
        return given;
    }

    /** For commands that a shell runs in the background. */
    public void sayNothingOfVersions() {
        skew.mute();
    }

    public static boolean isLoopback(URI url) {
        return LOOPBACK.contains(url.getHost());
    }

    public static URI url(String text) {
        try {
            URI url = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean port = url.getPort() != 0 && url.getPort() <= 65_535;
            if (web && port && url.getHost() != null && url.getUserInfo() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new UsageProblem(text + " is not the address of a server; write it like https://homeport.example.com");
    }

    private static String soundToken(String given) {
        String token = given.strip();
        if (!ProviderTokens.isToken(token)) {
            throw new UsageProblem(
                    "what HOMEPORT_TOKEN holds is not a token: that is one word of letters, digits and signs");
        }
        return token;
    }

    private Optional<String> chosen(@Nullable String flag, String variable) {
        return Optional.ofNullable(flag).filter(text -> !text.isEmpty()).or(() -> process.variable(variable));
    }
}
