package dev.homeport.bench.poll;

import dev.homeport.bench.Isolated;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ./homeport serve} as it is shipped, on the server's core. */
final class Homeport implements AutoCloseable {
    private final Process process;
    private final double secondsToReady;
    private String poll = "";
    private String admin = "";

    private Homeport(Process process, long begun) throws IOException {
        this.process = process;
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        while (line != null && !line.equals("ready")) {
            if (line.startsWith("poll plane:")) {
                poll = line.substring("poll plane:".length()).strip();
            }
            if (line.startsWith("admin plane:")) {
                admin = line.substring("admin plane:".length()).strip();
            }
            line = out.readLine();
        }
        this.secondsToReady = (System.nanoTime() - begun) / 1e9;
        if (line == null) {
            throw new IOException("the server did not start");
        }
    }

    static Homeport serve(Path data, List<String> more) throws IOException {
        return start(data, more, true, true);
    }

    /** On all cores, as it would be started. */
    static Homeport unpinned(Path data, boolean aot) throws IOException {
        return start(data, List.of(), false, aot);
    }

    static Homeport unpinned(Path data, List<String> more) throws IOException {
        return start(data, more, false, true);
    }

    private static Homeport start(Path data, List<String> more, boolean pinned, boolean aot) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(
                Path.of(System.getProperty("homeport.root", "."), "homeport").toString());
        command.addAll(List.of("serve", "--data", data.toString(), "--poll-rate", "0"));
        command.addAll(List.of("--admin-listen", "127.0.0.1:0", "--poll-listen", "127.0.0.1:0"));
        command.addAll(more);
        ProcessBuilder builder = pinned ? Pinned.on(Pinned.SERVER, command) : Isolated.process(command);
        builder.environment().put("HOMEPORT_AOT", aot ? "on" : "off");
        long begun = System.nanoTime();
        return new Homeport(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start(), begun);
    }

    /** The script and taskset have each become the next, so it is the server's own. */
    long pid() {
        return process.pid();
    }

    /** Such as http://127.0.0.1:8081. */
    String poll() {
        return poll;
    }

    /** The page with the server's own figures. */
    String metrics() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(admin + "/metrics"))
                    .header("Authorization", "Bearer " + FleetTokens.admin().reveal())
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    double secondsToReady() {
        return secondsToReady;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Duration.ofSeconds(30).toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
