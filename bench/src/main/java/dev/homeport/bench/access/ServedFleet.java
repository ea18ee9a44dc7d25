package dev.homeport.bench.access;

import dev.homeport.bench.Isolated;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server as users start it, in a process of its own. */
final class ServedFleet implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private String base = "";
    private String admin = "";

    private ServedFleet(Process process) {
        this.process = process;
    }

    static ServedFleet start(Path data) throws IOException {
        Path command = Path.of(System.getProperty("homeport.root", "."), "homeport");
        ProcessBuilder builder = Isolated.process(List.of(
                        command.toString(),
                        "serve",
                        "--data",
                        data.toString(),
                        "--admin-listen",
                        "127.0.0.1:0",
                        "--poll-listen",
                        "127.0.0.1:0"))
                .redirectError(data.resolveSibling("server.log").toFile());
        ServedFleet fleet = new ServedFleet(builder.start());
        BufferedReader out = fleet.process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null && !line.equals("ready"); line = out.readLine()) {
            if (line.startsWith("admin plane:")) {
                fleet.base = line.substring("admin plane:".length()).strip();
            }
            if (line.startsWith("admin token")) {
                fleet.admin = line.substring(line.lastIndexOf(' ') + 1);
            }
        }
        if (fleet.base.isEmpty()) {
            throw new IOException("the server did not start");
        }
        return fleet;
    }

    String admin() {
        return admin;
    }

    JsonNode post(String path, String body) throws IOException, InterruptedException {
        return JSON.readTree(send(
                admin,
                HttpRequest.newBuilder(URI.create(base + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))));
    }

    /** The length of the answer. */
    int get(String token, String path) throws IOException, InterruptedException {
        return send(token, HttpRequest.newBuilder(URI.create(base + path)).GET()).length;
    }

    JsonNode json(String token, String path) throws IOException, InterruptedException {
        return JSON.readTree(
                send(token, HttpRequest.newBuilder(URI.create(base + path)).GET()));
    }

    private byte[] send(String token, HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(
                request.header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8));
        }
        return response.body();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
