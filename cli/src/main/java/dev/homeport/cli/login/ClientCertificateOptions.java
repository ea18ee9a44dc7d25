package dev.homeport.cli.login;

import dev.homeport.api.ClientCertificate;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which certificate to show to a server: flags before variables before the context. */
public final class ClientCertificateOptions {
    private static final String CERTIFICATE = "client_certificate";
    private static final String KEY = "client_key";
    private static final String CERTIFICATE_VARIABLE = "HOMEPORT_CLIENT_CERTIFICATE";
    private static final String KEY_VARIABLE = "HOMEPORT_CLIENT_KEY";

    @Option(names = "--client-certificate", paramLabel = "FILE", description = "PEM file with the client certificate.")
    @Nullable
    public String certificate;

    @Option(
            names = "--client-key",
            paramLabel = "FILE",
            description = "PEM file with the private key of the client certificate, not encrypted.")
    @Nullable
    public String key;

    private final ProcessEnvironment process;

    public ClientCertificateOptions(ProcessEnvironment process) {
        this.process = process;
    }

    /** Keeps what was given by flag, once it is known to be usable. Another server's certificate is forgotten. */
    public Contexts.Context in(Contexts.Context context, URI server) {
        Optional<ClientCertificate> given = given();
        if (given.isPresent()) {
            if (!server.getScheme().equals("https")) {
                throw new UsageProblem("a client certificate needs TLS: " + server + " does not begin with https");
            }
            given.get().check();
            return context.with(CERTIFICATE, given.get().certificate().toString())
                    .with(KEY, given.get().key().toString());
        }
        boolean same = context.server().equals(server.toString());
        return same ? context : context.with(CERTIFICATE, "").with(KEY, "");
    }

    private Optional<ClientCertificate> given() {
        return pair(file(certificate), file(key), "--client-certificate", "--client-key");
    }

    /** For the requests of the command that has these options. */
    public Optional<ClientCertificate> chosen(Contexts.Context context) {
        return given().or(() -> chosen(process, Optional.of(context)));
    }

    /** For a request to this context's server; without a context only variables count. */
    public static Optional<ClientCertificate> chosen(ProcessEnvironment process, Optional<Contexts.Context> context) {
        return pair(
                        process.variable(CERTIFICATE_VARIABLE).map(process::file),
                        process.variable(KEY_VARIABLE).map(process::file),
                        CERTIFICATE_VARIABLE,
                        KEY_VARIABLE)
                .or(() -> context.flatMap(one -> pair(
                        one.setting(CERTIFICATE).map(Path::of),
                        one.setting(KEY).map(Path::of),
                        CERTIFICATE + " of context " + one.name(),
                        KEY + " of context " + one.name())));
    }

    private Optional<Path> file(@Nullable String name) {
        return Optional.ofNullable(name)
                .filter(text -> !text.isEmpty())
                .map(text -> process.file(text).toAbsolutePath().normalize());
    }

    private static Optional<ClientCertificate> pair(
            Optional<Path> certificate, Optional<Path> key, String certificateName, String keyName) {
        if (certificate.isPresent() != key.isPresent()) {
            boolean hasKey = key.isPresent();
            throw new UsageProblem((hasKey ? keyName : certificateName) + " is set without "
                    + (hasKey ? certificateName : keyName) + ": set both (they may name the same file)");
        }
        return certificate.map(file -> new ClientCertificate(file, key.orElseThrow()));
    }
}
