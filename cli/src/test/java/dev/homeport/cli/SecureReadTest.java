package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads over TLS: servers of every kind are understood, and only those that are trusted. */
class SecureReadTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    Path folder;

    @Test
    void aServerIsUnderstoodWhicheverWayItAgreesOnAKey() throws Exception {
        KeyStore keys = keys("known");
        for (String group : List.of("x25519", "secp256r1", "secp384r1")) {
            HttpsServer server = server(keys, List.of(group));
            try {
                Cli.Ran ran = read(server, "127.0.0.1", authority(keys, group));
                assertThat(ran.exit()).as(group + ran.err()).isZero();
                assertThat(ran.out()).contains("hello");
            } finally {
                server.stop(0);
            }
        }
    }

    @Test
    void whoeverIsNotTrustedOrHasAnotherNameGetsNoRequest() throws Exception {
        KeyStore keys = keys("known");
        HttpsServer server = server(keys, List.of("x25519", "secp256r1"));
        try {
            Cli.Ran foreign = read(server, "127.0.0.1", authority(keys("foreign"), "foreign"));
            assertThat(foreign.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(foreign.err()).contains("is not trusted", "--certificate-authority");
            Cli.Ran misnamed = read(server, "localhost", authority(keys, "known"));
            assertThat(misnamed.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(misnamed.err()).contains("is not trusted", "localhost");
        } finally {
            server.stop(0);
        }
    }

    private Cli.Ran read(HttpsServer server, String host, Path authority) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ProcessEnvironment process = new ProcessEnvironment(
                Map.of("HOMEPORT_TOKEN", "none"),
                folder,
                folder,
                InputStream.nullInputStream(),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                ProcessEnvironment.Terminals.NONE,
                InstantSource.system());
        String address = "https://" + host + ":" + server.getAddress().getPort();
        int exit = Main.run(
                process, "api", "GET", "/hello", "--server", address, "--certificate-authority", authority.toString());
        return new Cli.Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static HttpsServer server(KeyStore keys, List<String> groups) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters chosen = context.getDefaultSSLParameters();
                chosen.setNamedGroups(groups.toArray(String[]::new));
                parameters.setSSLParameters(chosen);
            }
        });
        server.createContext("/", exchange -> {
            byte[] body = "{\"hello\": 1}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** A certificate for 127.0.0.1, which vouches for itself. */
    private KeyStore keys(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "it",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-dname",
                        "CN=server",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2")
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private Path authority(KeyStore keys, String name) throws Exception {
        return Files.writeString(
                folder.resolve(name + ".crt"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate("it").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }
}
