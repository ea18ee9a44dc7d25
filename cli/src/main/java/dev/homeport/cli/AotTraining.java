package dev.homeport.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.homeport.api.CliVersions;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Runs common commands once against a server that is played in another process, so that the JVM can note which classes they take;
 * what it notes makes later starts quick, and a class that it notes in vain makes all of them slower. Nothing else runs it.
 */
public final class AotTraining {
    private static final char[] PASSWORD = "rehearsal".toCharArray();

    private static final String ANSWER = """
            {"type": "cluster", "id": "a", "spec": {"cluster_name": "a", "environment": "dev", "labels": {"region": "eu"}},
             "meta": {"revision": 1, "created_at": "2026-01-01T00:00:00Z", "updated_by": "person:a"},
             "status": {"state": "new", "phase": "active"},
             "items": [{"type": "cluster", "id": "a", "spec": {"cluster_name": "a", "environment": "dev"},
                        "meta": {"revision": 1, "created_at": "2026-01-01T00:00:00Z"}, "status": {"state": "new"}}],
             "plan": {"documents_changed": 1, "clusters_changed": 1, "documents": [{"change": "updated", "type": "cluster",
                      "id": "a"}], "groups": [{"type": "platform_component", "cluster_count": 1, "clusters": ["a"],
                      "changes": [{"change": "updated", "id": "x", "before": {"tag": 1}, "after": {"tag": 2}}]}]},
             "confirmation": "none", "revision": 2}
            """;

    /** What servers' certificates are made with. */
    private static final List<String> KEYS = List.of("ec", "rsa");

    private AotTraining() {}

    /** {@code serve DIR} plays the servers until it is ended, {@code run DIR} runs the commands. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        if (args[0].equals("serve")) {
            for (String key : KEYS) {
                serve(folder, key);
            }
        } else {
            run(folder);
        }
    }

    private static void serve(Path folder, String key) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(key + ".p12"))) {
            keys.load(in, PASSWORD);
        }
        Files.writeString(folder.resolve(key + ".crt"), pem(keys));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
        server.createContext("/", AotTraining::answer);
        server.start();
        Path address = folder.resolve(key + ".new");
        Files.writeString(address, "https://127.0.0.1:" + server.getAddress().getPort());
        Files.move(address, folder.resolve(key + ".address"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void run(Path folder) throws IOException {
        Map<String, String> variables =
                Map.of("XDG_CONFIG_HOME", folder.toString(), "XDG_CACHE_HOME", folder.toString());
        for (String key : KEYS) {
            String address = Files.readString(folder.resolve(key + ".address"));
            String authority = folder.resolve(key + ".crt").toString();
            Map<String, String> signingIn = new HashMap<>(variables);
            signingIn.put("HOMEPORT_TOKEN", "none");
            Main.runPrepared(quiet(signingIn, folder), "login", address, "--ca", authority, "--name", key);
            Main.runPrepared(quiet(variables, folder), "get", "clusters", "-o", "name");
        }
        String[][] commands = {
            {"get", "clusters", "-l", "env=dev"},
            {"get", "cluster", "a", "-o", "yaml"},
            {"get", "cluster", "a", "-o", "json"},
            {"audit"},
            {"explain", "cluster/a"},
            {"label", "cluster/a", "b=c", "--dry-run"},
            {"label", "cluster/a", "b=c", "--yes"}
        };
        for (String[] words : commands) {
            Main.runPrepared(quiet(variables, folder), words);
        }
    }

    private static ProcessEnvironment quiet(Map<String, String> variables, Path folder) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new ProcessEnvironment(
                variables,
                folder,
                folder,
                InputStream.nullInputStream(),
                nowhere,
                nowhere,
                ProcessEnvironment.Terminals.NONE,
                InstantSource.system());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set(CliVersions.HEADER, CliVersions.SUPPORTED.header());
        byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static SSLContext context(KeyStore keys) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static String pem(KeyStore keys) throws Exception {
        byte[] certificate = keys.getCertificate("rehearsal").getEncoded();
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
    }
}
