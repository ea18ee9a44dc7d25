package dev.homeport.server.tls;

import dev.homeport.server.config.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** One request on a TLS connection of its own, with everything about the handshake chosen by the test. */
record TlsClient(SSLContext context, Consumer<SSLParameters> parameters) {
    private static final AtomicInteger FROM = new AtomicInteger();

    /** What came back, and over which connection. */
    record Answer(int status, String head, String body, SSLSession session) {
        X509Certificate served() {
            try {
                return (X509Certificate) session.getPeerCertificates()[0];
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        Answer expect(int wanted) {
            if (status != wanted) {
                throw new AssertionError("status " + status + " instead of " + wanted + ": " + body);
            }
            return this;
        }
    }

    static TlsClient trusting(Authority authority) {
        return new TlsClient(context(authority, Optional.empty()), parameters -> {});
    }

    TlsClient with(Consumer<SSLParameters> more) {
        return new TlsClient(context, parameters.andThen(more));
    }

    static TlsClient showing(Authority authority, Authority.Issued own) {
        return new TlsClient(context(authority, Optional.of(own)), parameters -> {});
    }

    private static SSLContext context(Authority authority, Optional<Authority.Issued> own) {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", authority.certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            KeyManager[] keys = null;
            if (own.isPresent()) {
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(own.get().store(), Authority.PASSWORD);
                // Shown whichever authorities the server asks for, as a hostile client does.
                keys = new KeyManager[] {new AlwaysShowing(factory.getKeyManagers()[0])};
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    SSLSocket open(Address address) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        // Each from another address, so that one refusal does not count against the next test.
        socket.bind(new InetSocketAddress("127.0.1." + (1 + FROM.getAndIncrement() % 250), 0));
        socket.connect(new InetSocketAddress(address.host(), address.port()), 5_000);
        socket.setSoTimeout(20_000);
        SSLParameters chosen = socket.getSSLParameters();
        parameters.accept(chosen);
        socket.setSSLParameters(chosen);
        socket.startHandshake();
        return socket;
    }

    Answer get(Address address, String path, String token) throws IOException {
        return send("GET", address, path, token, "");
    }

    Answer send(String method, Address address, String path, String token, String body) throws IOException {
        try (SSLSocket socket = open(address)) {
            return send(socket, method, path, token, body, "Connection: close\r\n");
        }
    }

    /** Reads until the length that the head says. */
    static Answer send(SSLSocket socket, String method, String path, String token, String body, String more)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                + (bytes.length == 0 ? "" : "Content-Type: application/json\r\n")
                + "Content-Length: " + bytes.length + "\r\n" + more + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(bytes);
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("cut after: " + head);
            }
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .map(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
        byte[] content = socket.getInputStream().readNBytes(length);
        if (content.length != length) {
            throw new IOException("cut after " + content.length + " of " + length + " bytes");
        }
        return new Answer(
                Integer.parseInt(head.substring(9, 12)),
                head.toString(),
                new String(content, StandardCharsets.UTF_8),
                socket.getSession());
    }
}
