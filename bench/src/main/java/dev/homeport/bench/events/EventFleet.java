package dev.homeport.bench.events;

import dev.homeport.access.EventSignature;
import dev.homeport.access.MasterKey;
import dev.homeport.bench.Isolated;
import dev.homeport.json.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server in a process of its own with a fleet in it, and the requests that the fleet sends. */
final class EventFleet implements AutoCloseable {
    private static final int COMPONENTS = 4;
    private static final double TICKS_PER_SECOND = 100;
    private static final int UTIME = 11;
    private static final int ITEM_DIGEST = 16;

    /** About as long as the expression of a witness, which an event repeats. */
    private static final int EXPRESSION = 1_400;

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<byte[]> polls = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final List<String> items = new ArrayList<>();
    private final AtomicLong resourceVersion = new AtomicLong(1);
    private final boolean witnesses;
    private String admin = "";
    private URI poll = URI.create("http://none");
    private String token = "";

    private EventFleet(Process process, boolean witnesses) throws IOException {
        this.process = process;
        this.witnesses = witnesses;
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("the server did not start");
            }
            String last = line.substring(line.lastIndexOf(' ') + 1);
            if (line.startsWith("poll plane:")) {
                poll = URI.create(last);
            } else if (line.startsWith("admin plane:")) {
                admin = last;
            } else if (line.startsWith("admin token")) {
                token = last;
            }
        }
    }

    /** @param witnesses whether it sends and polls what sets that look at objects do, beside polls for components */
    static EventFleet start(Path data, int clusters, boolean witnesses) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("homeport.root", "."), "homeport").toString(),
                "serve",
                "--data",
                data.toString(),
                "--poll-rate",
                "0",
                "--admin-listen",
                "127.0.0.1:0",
                "--poll-listen",
                "127.0.0.1:0"));
        EventFleet fleet = new EventFleet(
                Isolated.process(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start(),
                witnesses);
        String firstKey =
                Files.readAllLines(data.resolve("master.key")).getFirst().split(" ", -1)[0];
        fleet.fill(clusters, new MasterKey(HexFormat.of().parseHex(firstKey)));
        return fleet;
    }

    private void fill(int clusters, MasterKey master) throws IOException, InterruptedException {
        StringBuilder references = new StringBuilder();
        for (int i = 0; i < COMPONENTS; i++) {
            call("POST", "/api/v2/platform-components", """
                    {"id": "part-N", "spec": {"component_path": "apps/part-N", "component_version": "1.0.0",
                     "kind": "kustomize", "oci_url": "oci://registry.example.com/part-N", "oci_tag": "1.0.0"}}
                    """.replace("N", Integer.toString(i)));
            references
                    .append(i == 0 ? "" : ",")
                    .append("{\"id\":\"part-")
                    .append(i)
                    .append("\"}");
        }
        for (int i = 0; i < clusters; i++) {
            ObjectNode made = call("POST", "/api/v2/clusters", """
                    {"id": "c-N", "spec": {"cluster_name": "c-N", "cluster_dns": "c-N.example.com",
                     "environment": "dev", "owner": "bench", "platform_components": [REFS]}}
                    """.replace("N", Integer.toString(i))
                    .replace("REFS", references));
            keys.add(master.eventKey("c-" + i, made.at("/meta/revision").longValue()));
            String sets = "/api/v2/flux/clusters/c-" + i + ".example.com/sets/";
            polls.add(poll(sets + "platform-components"));
            if (witnesses) {
                polls.add(poll(sets + "witnesses"));
            }
            JsonNode answer =
                    StrictJson.read(get(poll + sets + "platform-components")).at("/inputs/0");
            answers.add(answer.path("digest").stringValue());
            if (items.isEmpty()) {
                answer.path("items").forEach(item -> items.add(digest(item.toString())));
            }
        }
    }

    private byte[] poll(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: " + poll.getAuthority() + "\r\nAuthorization: Bearer " + token
                        + "\r\nUser-Agent: flux-operator/v0.58.1\r\nAccept-Encoding: gzip"
                        + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Of an item, as the annotation of its objects has it. */
    private static String digest(String item) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(item.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, ITEM_DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    URI poll() {
        return poll;
    }

    byte[] pollOf(int number) {
        return polls.get(number % polls.size());
    }

    /** What a cluster says of one of its components, each time something else. */
    byte[] eventOf(int number) {
        int cluster = number % keys.size();
        int part = number / keys.size() % COMPONENTS;
        byte[] body = (witnesses ? witnessed(part) : reconciled(part, cluster)).getBytes(StandardCharsets.UTF_8);
        String head = "POST /api/v2/flux/clusters/c-" + cluster + ".example.com/events HTTP/1.1\r\nHost: "
                + poll.getAuthority() + "\r\nContent-Type: application/json\r\nX-Signature: "
                + EventSignature.of(keys.get(cluster), body) + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        return Wire.bytes(head, body);
    }

    /** What a set says that finds a component's Kustomization to be well, of another artifact than was known. */
    private String witnessed(int part) {
        long version = resourceVersion.incrementAndGet();
        String seen = String.join(
                "\n",
                "Kustomization",
                "True",
                "ReconciliationSucceeded",
                "1.0.0@sha256:%064x".formatted(version),
                "",
                items.get(part),
                "",
                "");
        return """
                {"involvedObject":{"kind":"ResourceSet","namespace":"flux-system","name":"homeport-witness-%1$d",\
                "uid":"5e2c9f0a-4a8f-4c59-a6cd-000000000000","apiVersion":"fluxcd.controlplane.io/v1",\
                "resourceVersion":"%2$d"},"severity":"info","timestamp":"%3$s",\
                "message":"Retrying dependency check: failed to evaluate the CEL expression '%4$s': \
                no such key: hw1 component/part-%1$d %5$s","reason":"DependencyNotReady",\
                "metadata":{"witness":"{\\"Kustomization/c-part-%1$d\\":\\"component/part-%1$d\\"}"},\
                "reportingController":"flux-operator","reportingInstance":"flux-operator-0"}""".formatted(
                        part,
                        version,
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        "x".repeat(EXPRESSION),
                        Base64.getEncoder().encodeToString(seen.getBytes(StandardCharsets.UTF_8)));
    }

    /** What a component's Kustomization reports after each reconcile. */
    private String reconciled(int part, int cluster) {
        return """
                {"involvedObject":{"kind":"Kustomization","namespace":"flux-system","name":"c-part-%1$d",\
                "uid":"5e2c9f0a-4a8f-4c59-a6cd-000000000000","apiVersion":"kustomize.toolkit.fluxcd.io/v1",\
                "resourceVersion":"%2$d"},"severity":"info","timestamp":"%3$s",\
                "message":"Reconciliation finished in %2$dms, next run in 10m0s","reason":"ReconciliationSucceeded",\
                "metadata":{"revision":"1.0.0@sha256:0000000000000000000000000000000000000000000000000000000000000000",\
                "commit_status":"update","component_id":"part-%1$d","answer_digest":"%4$s"},\
                "reportingController":"kustomize-controller","reportingInstance":"kustomize-controller-0"}""".formatted(
                        part,
                        resourceVersion.incrementAndGet(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        answers.get(cluster));
    }

    /** Events that were new, and those that were known already, as the server counts. */
    double counted(String outcome) throws IOException, InterruptedException {
        String prefix = "homeport_events_total{outcome=\"" + outcome + "\"}";
        return get(admin + "/metrics")
                .lines()
                .filter(line -> line.startsWith(prefix))
                .mapToDouble(line -> Double.parseDouble(line.substring(prefix.length())))
                .sum();
    }

    int inState(String state) throws IOException, InterruptedException {
        return StrictJson.read(get(admin + "/api/v2/clusters?counts=true&page_size=1&filter=state:" + state))
                .path("total")
                .intValue();
    }

    /** Time on a processor of all threads, in user mode and in the kernel. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) / TICKS_PER_SECOND;
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private ObjectNode call(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(path + ": " + answer.body());
        }
        return StrictJson.read(answer.body());
    }

    @Override
    public void close() {
        http.close();
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
