package dev.homeport.e2e.stack;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport serve} in a process of its own. Killed and started again, it has the same addresses and the same data. */
public final class Homeport implements AutoCloseable {
    private static final int CONFIRMATIONS = 5;

    private final Path folder;
    private final List<String> flags;
    private final Http http;
    private final Pki pki;
    private final int adminPort = Ports.free();
    private final int pollPort = Ports.free();
    private final @Nullable EmbeddedPostgres postgres;
    private final Optional<OwnNetwork> network;
    private volatile @Nullable Daemon daemon;
    private String adminToken = "";

    private Homeport(
            Path folder,
            Pki pki,
            @Nullable EmbeddedPostgres postgres,
            Optional<OwnNetwork> network,
            List<String> flags) {
        this.folder = folder;
        this.flags = flags;
        this.pki = pki;
        this.http = Http.trusting(pki.context());
        this.postgres = postgres;
        this.network = network;
    }

    /** It knows the authority that certificates of clusters come from. */
    static Homeport embedded(String name, Pki pki, Optional<OwnNetwork> network) {
        return new Homeport(
                        Folders.made(Folders.RUN.resolve(name)),
                        pki,
                        null,
                        network,
                        List.of("--tls-client-ca", pki.clusters().certificate().toString()))
                .first();
    }

    /** On a PostgreSQL of its own. */
    static Homeport onPostgres(String name, Pki pki) {
        Path folder = Folders.made(Folders.RUN.resolve(name));
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("postgres"))
                    .setPGStartupWait(Await.LIMIT)
                    .start();
            Undertaker.started(postmaster(folder.resolve("postgres")));
            return new Homeport(
                            folder,
                            pki,
                            postgres,
                            Optional.empty(),
                            List.of(
                                    "--database-url",
                                    "postgresql://postgres:postgres@127.0.0.1:" + postgres.getPort() + "/postgres"))
                    .first();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long postmaster(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    }

    private Homeport first() {
        adminToken = start("--init", "true").lines().stream()
                .filter(line -> line.startsWith("admin token"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        return this;
    }

    private Daemon start(String... more) {
        List<String> command = new ArrayList<>(network.map(OwnNetwork::entering).orElse(List.of()));
        command.addAll(List.of(
                Folders.ROOT.resolve("homeport").toString(),
                "serve",
                "--data",
                folder.resolve("data").toString(),
                "--admin-listen",
                host() + ":" + adminPort,
                "--poll-listen",
                host() + ":" + pollPort,
                "--tls-certificate",
                pki.certificate().toString(),
                "--tls-key",
                pki.key().toString()));
        command.addAll(flags);
        command.addAll(List.of(more));
        Daemon started = Daemon.start(
                "homeport",
                folder,
                Map.of(
                        // Preparing fast starts runs another server, and connects to it.
                        "HOMEPORT_AOT",
                        "off",
                        "JAVA_OPTS",
                        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m",
                        "JAVA_HOME",
                        System.getProperty("java.home")),
                command);
        daemon = started;
        return started.await(() -> http.isOk(pollUrl() + "/ready") && http.isOk(adminUrl() + "/ready"));
    }

    public void startAgain() {
        start();
    }

    /** As a power cut would. */
    public void kill() {
        Daemon running = daemon;
        daemon = null;
        if (running != null) {
            running.kill();
        }
    }

    /** Stops it, takes away what it has observed, and starts it again. */
    public void loseObserved() {
        kill();
        for (String file : List.of("observed.db", "observed.db-wal", "observed.db-shm")) {
            try {
                Files.deleteIfExists(folder.resolve("data").resolve(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        startAgain();
    }

    public boolean isRunning() {
        return daemon != null;
    }

    /** Zero: it is not running. */
    long pid() {
        Daemon running = daemon;
        return running == null ? 0 : running.pid();
    }

    /** Where clusters poll. */
    public String pollUrl() {
        return "https://" + host() + ":" + pollPort;
    }

    public String adminUrl() {
        return "https://" + host() + ":" + adminPort;
    }

    private String host() {
        return network.map(OwnNetwork::address).orElse("127.0.0.1");
    }

    public Http.Answer get(String path) {
        return send("GET", path, "", Map.of());
    }

    /** A write; one that is refused for want of a confirmation is sent again with the one that came with the refusal. */
    public Http.Answer send(String method, String path, String body, Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(Map.of("Authorization", "Bearer " + adminToken));
        if (!body.isEmpty()) {
            all.put("Content-Type", "application/json");
        }
        all.putAll(headers);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Http.Answer answer = http.send(method, adminUrl() + path, bytes, all);
        // What is confirmed is what the write would do, which is something else when another test has written
        // meanwhile.
        for (int again = 0; again < CONFIRMATIONS && isToBeConfirmed(answer); again++) {
            all.put("Homeport-Confirm", answer.header("Homeport-Confirm"));
            answer = http.send(method, adminUrl() + path, bytes, all);
        }
        return answer;
    }

    private static boolean isToBeConfirmed(Http.Answer answer) {
        return answer.status() == 409 && !answer.header("Homeport-Confirm").isEmpty();
    }

    public void create(String plural, String id, String spec) {
        ObjectNode body = JsonMapper.shared().createObjectNode().put("id", id);
        body.set("spec", JsonMapper.shared().readTree(spec));
        send("POST", "/api/v2/" + plural, body.toString(), Map.of()).expect(201);
    }

    /** A merge patch of a document's spec. */
    public void patch(String plural, String id, String spec) {
        send(
                        "PATCH",
                        "/api/v2/" + plural + "/" + id,
                        "{\"spec\":" + spec + "}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200);
    }

    /** A step of a cluster's life. */
    public void verb(String cluster, String verb) {
        send("POST", "/api/v2/clusters/" + cluster + ":" + verb, "", Map.of()).expect(200);
    }

    public JsonNode cluster(String id) {
        return get("/api/v2/clusters/" + id).expect(200).json();
    }

    /** What a cluster's poll is answered, in the shape that has one input. */
    public JsonNode answer(String cluster, String plural) {
        return get("/api/v2/clusters/" + cluster + "/payload/" + plural + "?shape=set&raw=true")
                .expect(200)
                .at("/inputs/0");
    }

    /** Runs {@code homeport …} against this server and returns what it printed. */
    public String cli(String... arguments) {
        return run(0, List.of(arguments));
    }

    /** Runs {@code homeport admin …} on the store of this server, which is on PostgreSQL. */
    public String admin(int exit, String... arguments) {
        List<String> all = new ArrayList<>(List.of("admin"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--data", folder.resolve("data").toString()));
        all.addAll(flags);
        return run(exit, all);
    }

    /** Whether it is on record that a cluster was given an item. */
    public boolean hasRecorded(String cluster, String item) {
        try (Connection connection =
                        Objects.requireNonNull(postgres).getPostgresDatabase().getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT 1 FROM observed.given_answer WHERE cluster = ? AND ' ' || items || ' ' LIKE ?")) {
            query.setString(1, cluster);
            query.setString(2, "% " + item + " %");
            return query.executeQuery().next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String run(int exit, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(Folders.ROOT.resolve("homeport").toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(folder.resolve("cli.log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "HOMEPORT_SERVER",
                        adminUrl(),
                        "HOMEPORT_TOKEN",
                        adminToken,
                        "HOMEPORT_AOT",
                        "off",
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "JAVA_OPTS",
                        "-XX:TieredStopAtLevel=1 -Djavax.net.ssl.trustStore=" + pki.trustStore()
                                + " -Djavax.net.ssl.trustStorePassword=" + Pki.PASSWORD));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != exit) {
                throw new AssertionError("homeport " + String.join(" ", arguments) + " failed:\n" + printed
                        + Files.readString(folder.resolve("cli.log")));
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
        if (postgres != null) {
            try {
                postgres.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
