package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.api.TlsFiles;
import dev.homeport.cli.login.CiToken;
import dev.homeport.cli.login.ClientCertificateOptions;
import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.DeviceSignIn;
import dev.homeport.cli.login.ProviderCalls;
import dev.homeport.cli.login.ProviderTokens;
import dev.homeport.cli.login.SignedIn;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.server.VersionSkew;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.Prompt;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport login URL}: gets a token, tries it and keeps it in a context. */
@Command(
        name = "login",
        description = "Sign in to a server and save it as a context.",
        footer = {
            "",
            "Where the server has an identity provider, you sign in there with a browser, on this device or another.",
            "A token of Homeport is read from standard input (--token-stdin), from HOMEPORT_TOKEN, or asked for;",
            "it never comes by flag, where others could see it.",
            "",
            "It is kept in your desktop's keyring, if there is one that works (secret-tool of libsecret, and a session bus),",
            "and else in the file of contexts, which only you can read. HOMEPORT_KEYRING=off: in the file; on: in the",
            "keyring or nowhere.",
            "",
            "In a CI job, --ci-oidc takes the job's own token: of GitHub Actions (permissions: {id-token: write}), of",
            "GitLab CI (id_tokens: {HOMEPORT_ID_TOKEN: {aud: URL}}), or of any other system that puts one into a variable",
            "or a file. It is not kept: every command asks for it again.",
            "",
            "Where the server requires a client certificate, name it and its key (PEM; the key is PKCS#8, or RSA or EC as",
            "openssl writes them). Their paths are kept in the context. HOMEPORT_CLIENT_CERTIFICATE and HOMEPORT_CLIENT_KEY",
            "come before them.",
            "",
            "Examples:",
            "  homeport login https://homeport.example.com",
            "  homeport login https://homeport.example.com --token-stdin < token",
            "  homeport login https://homeport.example.com --ci-oidc",
            "  homeport login https://homeport.example.com --client-certificate me.crt --client-key me.key"
        })
final class LoginCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "The server's address.")
    String url;

    @Option(names = "--name", paramLabel = "NAME", description = "The context's name; default the host name.")
    @Nullable
    String name;

    @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the certificate authority to trust.")
    @Nullable
    String authority;

    @Mixin
    ClientCertificateOptions clientCertificate;

    @Option(names = "--token-stdin", description = "Read the token from standard input.")
    boolean tokenFromInput;

    @Option(names = "--device", description = "Sign in at the identity provider, also without a terminal.")
    boolean device;

    @Option(names = "--ci-oidc", description = "Sign in with the token of the CI job that this runs in.")
    boolean ofJob;

    @Option(
            names = "--token-variable",
            paramLabel = "NAME",
            description = "With --ci-oidc: the variable that has the job's token; default HOMEPORT_ID_TOKEN.")
    @Nullable
    String tokenVariable;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "With --ci-oidc: the file that has the job's token.")
    @Nullable
    String tokenFile;

    @Option(
            names = "--audience",
            paramLabel = "TEXT",
            description = "With --ci-oidc: whom the token is for, as the server's file of trusted issuers says;"
                    + " default the server's address.")
    @Nullable
    String audience;

    @Option(names = "--request-timeout", paramLabel = "TIME", description = "Timeout of one request; default 5m.")
    @Nullable
    String requestTimeout;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print requests to the server on stderr.")
    boolean verbose;

    @Option(names = "--no-input", description = "Never prompt.")
    boolean noInput;

    private final ProcessEnvironment process;

    LoginCommand(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        URI server = ServerOptions.url(url);
        TokenStore tokens = new TokenStore(process);
        if (!ofJob) {
            tokens.check();
        }
        Optional<Path> ca =
                Optional.of(absolute(authority)).filter(path -> !path.isEmpty()).map(Path::of);
        String chosen = name == null ? server.getHost() : Contexts.name(name);
        Contexts contexts = Contexts.of(process);
        Contexts.Context before = contexts.find(chosen).orElse(Contexts.Context.of(chosen, ""));
        Contexts.Context context = clientCertificate
                .in(ProviderTokens.forgotten(before), server)
                .with("server", server.toString())
                .with("ca", ca.map(Path::toString).orElse(""));
        Optional<Duration> patience = ServerOptions.patience(requestTimeout);
        TlsFiles files = new TlsFiles(ca, clientCertificate.chosen(context));
        Contexts.Context signedIn = signedIn(context, server, files, patience);
        // As it was given: whatever has to be renewed at once is renewed by the next command.
        Supplier<Optional<String>> token = ofJob ? new SignedIn(signedIn, process) : signedIn::token;
        JsonNode me = new HomeportClient(
                        new ServerAddress(server, token, files, this::say, new VersionSkew(process), patience))
                .get("/api/v2/me")
                .body();
        String where = tokens.put(signedIn);
        process.err()
                .println("signed in at " + server + " as "
                        + SafeText.line(me.path("actor").asString("?")) + " ("
                        + SafeText.line(me.path("access").asString("?")) + "); context " + SafeText.line(chosen)
                        + (where.isEmpty() ? "" : "; the token is " + SafeText.line(where)));
        return ExitCodes.DONE;
    }

    private Contexts.Context signedIn(
            Contexts.Context context, URI server, TlsFiles files, Optional<Duration> patience) {
        if (ofJob) {
            return ciToken(server).in(context);
        }
        if (tokenVariable != null || tokenFile != null || audience != null) {
            throw new UsageProblem("--token-variable, --token-file and --audience go with --ci-oidc: add it");
        }
        Optional<String> given = tokenFromInput ? Optional.of(process.readAll()) : process.variable("HOMEPORT_TOKEN");
        boolean interactive = process.terminals().in() && !noInput;
        if (device || given.isEmpty() && interactive) {
            JsonNode offered = new HomeportClient(
                            new ServerAddress(server, Optional::empty, files, this::say, versions -> {}, patience))
                    .get("/api/v2/sign-in")
                    .body()
                    .path("oidc")
                    .path("device");
            if (offered.isObject()) {
                return new DeviceSignIn(process, new ProviderCalls(files.authority()), offered)
                        .signIn()
                        .in(context);
            }
            if (device) {
                throw new UsageProblem(server + " has no identity provider that the command line can sign in at:"
                        + " pipe a token to --token-stdin");
            }
        }
        if (given.isEmpty() && interactive) {
            given = new Prompt(process).askSecret("Token: ");
        }
        return context.with("token", token(given.orElse("")));
    }

    /** A token as it was given, if it can be one. */
    static String token(String given) {
        String token = given.strip();
        if (!token.matches("[\\x21-\\x7E]{1,4096}")) {
            throw new UsageProblem(
                    token.isEmpty()
                            ? "no token given: pipe it to --token-stdin, or set HOMEPORT_TOKEN"
                            : "what was given is not a token: that is one word of at most 4096 letters, digits and signs");
        }
        return token;
    }

    private CiToken ciToken(URI server) {
        if (tokenFromInput || device || tokenVariable != null && tokenFile != null) {
            throw new UsageProblem("a token comes from one place: name only one of them");
        }
        String whom = audience == null ? server.toString() : audience;
        if (tokenVariable != null) {
            return CiToken.ofVariable(tokenVariable, whom);
        }
        return tokenFile != null ? CiToken.ofFile(process.file(tokenFile), whom) : CiToken.found(process, whom);
    }

    private void say(String line) {
        if (verbose) {
            process.err().println("> " + SafeText.line(line));
        }
    }

    static String absolute(@Nullable String file) {
        return file == null ? "" : Path.of(file).toAbsolutePath().normalize().toString();
    }
}
