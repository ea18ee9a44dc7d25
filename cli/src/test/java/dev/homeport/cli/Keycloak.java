package dev.homeport.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A real identity provider on loopback, one for all tests of this module: it takes a while to start. */
final class Keycloak {
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static Keycloak running;

    private final Path home;
    private final int port;
    private Process process;

    private Keycloak(Path home, int port) {
        this.home = home;
        this.port = port;
    }

    static synchronized Keycloak running() {
        if (running == null) {
            try {
                Keycloak made = new Keycloak(unpacked(), freePort());
                Runtime.getRuntime().addShutdownHook(new Thread(made::stop));
                made.start();
                running = made;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return running;
    }

    String issuer(String realm) {
        return "http://127.0.0.1:" + port + "/realms/" + realm;
    }

    /** It takes up its port and its realms again, with other keys. */
    void start() throws IOException {
        Path imports = Files.createDirectories(home.resolve("data/import"));
        for (String realm : List.of("homeport-realm.json", "ci-realm.json")) {
            try (InputStream in = Objects.requireNonNull(Keycloak.class.getResourceAsStream(realm))) {
                Files.copy(in, imports.resolve(realm), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--db=dev-mem",
                        "--import-realm",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(TARGET.resolve("keycloak.log").toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m -XX:TieredStopAtLevel=1");
        process = builder.start();
        await("ci");
        await("homeport"); // what is asked of a realm for the first time takes it seconds
    }

    void stop() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void await(String realm) throws IOException {
        HttpRequest question = HttpRequest.newBuilder(URI.create(issuer(realm) + "/.well-known/openid-configuration"))
                .timeout(Duration.ofSeconds(60))
                .build();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (System.nanoTime() < end && process.isAlive()) {
                try {
                    if (http.send(question, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200) {
                        return;
                    }
                } catch (IOException e) {
                    // not yet
                }
                Thread.sleep(200);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("Keycloak does not start: " + Files.readString(TARGET.resolve("keycloak.log")));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The build fetches it like any other artifact; unpacked it stays until the next clean. */
    private static Path unpacked() throws IOException {
        Path zip = Path.of(System.getProperty("homeport.keycloak"));
        String name = zip.getFileName().toString().replace("-quarkus-dist", "").replace(".zip", "");
        Path home = TARGET.resolve(name);
        if (!Files.exists(home)) {
            Path half = Files.createTempDirectory(TARGET, "keycloak");
            try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    Path file = half.resolve(entry.getName()).normalize();
                    if (entry.isDirectory() || !file.startsWith(half)) {
                        continue;
                    }
                    Files.createDirectories(file.getParent());
                    Files.copy(in, file);
                }
            }
            if (!half.resolve(name + "/bin/kc.sh").toFile().setExecutable(true)) {
                throw new IOException("kc.sh cannot be made executable");
            }
            Files.move(half.resolve(name), home);
            Files.delete(half);
        }
        return home;
    }
}
