package dev.homeport.bench.attack;

import dev.homeport.bench.Isolated;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A server process with the options of the launcher and a heap like that of the chart, and a small fleet. */
final class AttackTarget implements AutoCloseable {
    static final int CLUSTERS = 200;
    private static final int COMPONENTS = 10;
    private static final Pattern USED = Pattern.compile("total [0-9]+K, used ([0-9]+)K");

    private final Process process;
    private final boolean tls;
    private URI admin = URI.create("http://none");
    private URI poll = URI.create("http://none");
    private String token = "";

    /** What a server holds. */
    record Held(long descriptors, long threads, double heapMiB) {}

    private AttackTarget(Process process, boolean tls) throws IOException {
        this.process = process;
        this.tls = tls;
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("the server did not start");
            }
            String last = line.substring(line.lastIndexOf(' ') + 1);
            if (line.startsWith("poll plane:")) {
                poll = URI.create(last);
            } else if (line.startsWith("admin plane:")) {
                admin = URI.create(last);
            } else if (line.startsWith("admin token")) {
                token = last;
            }
        }
    }

    static AttackTarget start(Path folder, boolean tls) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("homeport.root", "."), "homeport").toString(),
                "serve",
                "--data",
                folder.resolve("data").toString(),
                "--admin-listen",
                "127.0.0.1:0",
                "--poll-listen",
                "127.0.0.1:0",
                "--poll-rate",
                "0"));
        if (tls) {
            certificate(folder);
            command.addAll(
                    List.of("--tls-certificate", folder.resolve("tls.crt").toString()));
            command.addAll(List.of("--tls-key", folder.resolve("tls.key").toString()));
        }
        ProcessBuilder builder = Isolated.process(command);
        builder.environment().put("JAVA_OPTS", "-Xmx512m");
        builder.redirectError(folder.resolve("server.log").toFile());
        AttackTarget target = new AttackTarget(builder.start(), tls);
        target.fill();
        return target;
    }

    private static void certificate(Path folder) throws Exception {
        Path store = folder.resolve("tls.p12");
        String password = "benchmark";
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        password,
                        "-alias",
                        "server",
                        "-dname",
                        "CN=localhost",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate");
        }
        KeyStore keys = KeyStore.getInstance(store.toFile(), password.toCharArray());
        write(
                folder.resolve("tls.crt"),
                "CERTIFICATE",
                keys.getCertificate("server").getEncoded());
        write(
                folder.resolve("tls.key"),
                "PRIVATE KEY",
                keys.getKey("server", password.toCharArray()).getEncoded());
    }

    private static void write(Path file, String what, byte[] content) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN " + what + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + what
                        + "-----\n");
    }

    private void fill() throws IOException, InterruptedException {
        String references = IntStream.range(0, COMPONENTS)
                .mapToObj(i -> "{\"id\":\"part-" + i + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
        Stream<String> components = IntStream.range(0, COMPONENTS)
                .mapToObj(i -> "{\"op\":\"create\",\"type\":\"platform_component\",\"id\":\"part-" + i
                        + "\",\"spec\":{\"component_path\":\"apps/part\",\"component_version\":\"1.0.0\",\"kind\":\"kustomize\","
                        + "\"oci_url\":\"oci://registry.example.com/part-" + i + "\",\"oci_tag\":\"1.0.0\"}}");
        Stream<String> clusters = IntStream.range(0, CLUSTERS)
                .mapToObj(i ->
                        "{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"c-" + i + "\",\"spec\":{\"cluster_name\":\"c-"
                                + i + "\",\"cluster_dns\":\"c-" + i
                                + ".example.com\",\"environment\":\"dev\",\"owner\":\"bench\","
                                + "\"labels\":{\"group\":\"g" + i + "\"},\"platform_components\":" + references + "}}");
        String body = Stream.concat(components, clusters)
                .collect(Collectors.joining(",", "{\"reason\":\"a fleet\",\"operations\":[", "]}"));
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(TrustAll.CONTEXT).build()) {
            // The certificate names localhost.
            URI changes = URI.create(admin.getScheme() + "://localhost:" + admin.getPort() + "/api/v2/changes");
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(changes)
                            .header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IOException("the fleet is refused: " + answer.body());
            }
        }
    }

    InetSocketAddress admin() {
        return new InetSocketAddress(admin.getHost(), admin.getPort());
    }

    InetSocketAddress poll() {
        return new InetSocketAddress(poll.getHost(), poll.getPort());
    }

    String token() {
        return token;
    }

    boolean tls() {
        return tls;
    }

    byte[] pollOf(int number) {
        return ("GET /api/v2/flux/clusters/c-" + number % CLUSTERS
                        + ".example.com/platform-components HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + token
                        + "\r\nUser-Agent: flux-operator/v0.58.1\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** After a collection of garbage. */
    Held held() throws IOException, InterruptedException {
        jcmd("GC.run");
        Matcher used = USED.matcher(jcmd("GC.heap_info"));
        double heap = 0;
        while (used.find()) {
            heap += Long.parseLong(used.group(1)) / 1024.0;
        }
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        try (Stream<Path> descriptors = Files.list(proc.resolve("fd"));
                Stream<Path> threads = Files.list(proc.resolve("task"))) {
            return new Held(descriptors.count(), threads.count(), heap);
        }
    }

    private String jcmd(String what) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        what)
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.waitFor() != 0) {
            throw new IOException("jcmd " + what + ": " + said);
        }
        return said;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
