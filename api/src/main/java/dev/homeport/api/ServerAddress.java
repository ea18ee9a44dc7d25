package dev.homeport.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * The address of a server, how to authenticate, and which authorities to trust.
 *
 * @param token supplies the token for each request, because a stored one may have expired in between
 * @param tls the trusted authorities, and the client certificate
 * @param trace receives every request and answer, without secrets
 * @param versions receives the versions of the command line that the server supports, whenever an answer names them
 * @param patience the timeout for a whole answer, if set
 */
public record ServerAddress(
        URI server,
        Supplier<Optional<String>> token,
        TlsFiles tls,
        Consumer<String> trace,
        Consumer<CliVersions> versions,
        Optional<Duration> patience) {
    private static final String GIVE_ONE =
            "sign in with `homeport login URL --client-certificate FILE --client-key FILE`,"
                    + " or set HOMEPORT_CLIENT_CERTIFICATE and HOMEPORT_CLIENT_KEY";
    private static final String VERSIONS = CliVersions.HEADER.toLowerCase(Locale.ROOT);

    public ServerAddress(URI server, Optional<String> token, Optional<Path> authority, Consumer<String> trace) {
        this(server, () -> token, TlsFiles.trusting(authority), trace, versions -> {}, Optional.empty());
    }

    /** For what the server sends without authentication. */
    public ServerAddress withoutToken() {
        return new ServerAddress(server, Optional::empty, tls, trace, versions, patience);
    }

    /** Looks at what every answer may say. */
    HttpReply heard(HttpReply reply) {
        String said = reply.headers().get(VERSIONS);
        if (said != null) {
            CliVersions.read(said).ifPresent(versions);
        }
        return reply;
    }

    URI at(String path) {
        String base = server.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    }

    /** Empty: the JDK's own. */
    Optional<SSLContext> secureContext() {
        return isSecure() ? tls.context() : Optional.empty();
    }

    private boolean isSecure() {
        return server.getScheme().equals("https");
    }

    ServerUnreachable unreachable(Exception cause) {
        Throwable reason = cause instanceof UncheckedIOException && cause.getCause() != null ? cause.getCause() : cause;
        String detail = reason.getMessage() == null ? reason.getClass().getSimpleName() : reason.getMessage();
        if (isUnknownHost(reason)) {
            return new ServerUnreachable(
                    server + " does not answer: there is no host " + server.getHost(), "check the address", cause);
        }
        if (reason instanceof SSLException
                && String.valueOf(reason.getMessage()).contains("unrecognized SSL message")) {
            return new ServerUnreachable(
                    server + " does not answer: what it speaks is not TLS",
                    "check the port, and whether the address begins with http or https",
                    cause);
        }
        Optional<String> refused = isSecure() ? CertificateAlert.in(reason) : Optional.empty();
        if (refused.isPresent()) {
            return certificateRefused(refused.get(), cause);
        }
        return reason instanceof SSLException && !isLostConnection(reason)
                ? new ServerUnreachable(
                        server + " is not trusted: " + detail,
                        "give the certificate authority's PEM file with --certificate-authority, or check the address",
                        cause)
                : new ServerUnreachable(
                        server + " does not answer: " + detail,
                        "check the address and whether the server runs" + orCertificate(reason),
                        cause);
    }

    /** A connection that ends during a handshake says nothing about trust. */
    private static boolean isLostConnection(Throwable reason) {
        return reason.getCause() instanceof SocketException || reason.getCause() instanceof EOFException;
    }

    private ServerUnreachable certificateRefused(String alert, Exception cause) {
        return tls.client()
                .map(shown -> new ServerUnreachable(
                        server + " does not accept the client certificate " + shown.certificate() + ": " + alert,
                        "check that it has not expired and that an authority in the server's admin_client_ca issued it",
                        cause))
                .orElseGet(() -> new ServerUnreachable(server + " requires a client certificate", GIVE_ONE, cause));
    }

    /** A server may close the connection before its alert is read. */
    private String orCertificate(Throwable reason) {
        if (!isSecure() || reason instanceof ConnectException) {
            return "";
        }
        return tls.client()
                .map(shown -> ", and whether it accepts the client certificate " + shown.certificate())
                .orElse("; if it requires a client certificate, " + GIVE_ONE);
    }

    /** Each of the JDK's two clients has its own way to say so. */
    private static boolean isUnknownHost(Throwable reason) {
        for (Throwable one = reason; one != null; one = one.getCause()) {
            if (one instanceof UnknownHostException || one instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    ServerUnreachable tooSlow(String method, Duration waited, Exception cause) {
        return new ServerUnreachable(
                server + " has not ended its answer within " + spelled(waited),
                (method.equals("GET") ? "try it again" : "see in homeport audit whether it was done")
                        + ", or give it more time with --request-timeout",
                cause);
    }

    private static String spelled(Duration time) {
        return time.toMinutes() > 1
                ? time.toMinutes() + "m"
                : time.toSeconds() > 1 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }

    /** For answers above the size limit. */
    ServerUnreachable endless(String size) {
        return new ServerUnreachable(
                server + " does not come to an end: its answer has more than " + size,
                "check the address: another server answers there, or something in between such as a proxy",
                new IOException("more than " + size));
    }

    /** A list that has no end. */
    ServerUnreachable repeating() {
        return new ServerUnreachable(
                server + " gives the same page of a list again and again",
                "ask the server itself: something in between such as a proxy may keep its answers; else look into its log",
                new IOException("a page came twice"));
    }

    /** The answer is not one of a Homeport server. */
    ServerUnreachable strange(HttpReply reply) {
        String elsewhere = reply.headers().getOrDefault("location", "");
        String sent = reply.status() / 100 == 3 && !elsewhere.isEmpty()
                ? server + " sends you to " + elsewhere
                : server + " answered " + reply.status() + ", and not as Homeport does";
        return new ServerUnreachable(
                sent,
                "check the address: another server answers there, or something in between such as a proxy",
                new IOException("status " + reply.status()));
    }
}
