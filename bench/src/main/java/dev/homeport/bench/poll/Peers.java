package dev.homeport.bench.poll;

import dev.homeport.bench.Goal.Bound;
import dev.homeport.bench.Report;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Homeport and nginx in turn, for the same bytes: what one poll costs each of them on the processor. */
final class Peers {
    private static final int CLUSTER = 0;
    private static final int CLUSTERS = 10_000;

    /** What wrk counts of an answer besides its body. */
    private static final int LONGEST_HEAD = 600;

    private final PollOptions options;
    private final PollFleet fleet;
    private final Report report;

    Peers(PollOptions options, PollFleet fleet, Report report) {
        this.options = options;
        this.fleet = fleet;
        this.report = report;
    }

    void compare() throws IOException, InterruptedException {
        Pinned.require("nginx", "nginx-light");
        Pinned.require("wrk", "wrk");
        Path folder = options.data().resolve("nginx");
        Path certificate = options.data().resolve("certificate.pem");
        Path key = options.data().resolve("key.pem");
        Files.createDirectories(folder);
        certify(certificate, key);
        Path data = fleet.of(CLUSTERS);
        if (options.has(PollOptions.Section.KEEPALIVE) || options.has(PollOptions.Section.CONNECT)) {
            try (Homeport homeport = Homeport.serve(data, List.of());
                    Nginx nginx = nginx(homeport, folder, certificate, key)) {
                if (options.has(PollOptions.Section.KEEPALIVE)) {
                    pairs("keepalive", homeport, nginx, false, false, 1.0);
                }
                if (options.has(PollOptions.Section.CONNECT)) {
                    pairs("new_connection", homeport, nginx, true, false, 0.9);
                }
            }
        }
        if (options.has(PollOptions.Section.TLS)) {
            List<String> tls = List.of("--tls-certificate", certificate.toString(), "--tls-key", key.toString());
            Nginx nginx;
            try (Homeport plain = Homeport.serve(data, List.of())) {
                nginx = nginx(plain, folder, certificate, key);
            }
            try (nginx;
                    Homeport homeport = Homeport.serve(data, tls)) {
                NewSessions.prove("nginx", nginx.base(true));
                NewSessions.prove("homeport", URI.create(homeport.poll()));
                pairs("new_tls_connection", homeport, nginx, true, true, 1.0);
            }
        }
    }

    /** Takes the answer from Homeport, so that both send the same. */
    private static Nginx nginx(Homeport homeport, Path folder, Path certificate, Path key)
            throws IOException, InterruptedException {
        byte[] plain = get(homeport.poll(), "identity");
        byte[] gzip = get(homeport.poll(), "gzip");
        byte[] unzipped = new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes();
        if (!Arrays.equals(plain, unzipped)) {
            throw new IllegalStateException("the two forms of an answer differ");
        }
        Nginx.answer(folder, FleetTokens.path(CLUSTER), plain, gzip);
        Nginx nginx = Nginx.serve(folder, CLUSTERS, certificate, key);
        if (!Arrays.equals(gzip, get(nginx.base(false).toString(), "gzip"))) {
            throw new IllegalStateException("nginx serves other bytes");
        }
        return nginx;
    }

    private void pairs(String name, Homeport homeport, Nginx nginx, boolean newConnections, boolean tls, double goal)
            throws IOException, InterruptedException {
        URI ours = URI.create(homeport.poll());
        URI theirs = nginx.base(tls);
        System.err.println(name + ": warming up…");
        Wrk.run(ours, CLUSTER, newConnections, options.secondsOfWarmUp(), homeport.pid());
        Wrk.run(theirs, CLUSTER, newConnections, 2, nginx.pid());
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < options.pairs(); pair++) {
            // The order alternates, because a machine may get slower or faster meanwhile.
            Wrk.Result first = pair % 2 == 0 ? null : run(nginx, theirs, newConnections);
            Wrk.Result mine = Wrk.run(ours, CLUSTER, newConnections, options.secondsEach(), homeport.pid());
            Wrk.Result other = first == null ? run(nginx, theirs, newConnections) : first;
            check(mine);
            check(other);
            double ratio = other.cpuMicros() / mine.cpuMicros();
            ratios.add(ratio);
            report.figures(row(name, pair, mine, other, ratio));
            System.err.printf(
                    Locale.ROOT,
                    "%s %d: homeport %.1f µs (%.0f/s), nginx %.1f µs (%.0f/s) a poll; ratio %.2f%n",
                    name,
                    pair + 1,
                    mine.cpuMicros(),
                    mine.perSecond(),
                    other.cpuMicros(),
                    other.perSecond(),
                    ratio);
        }
        ratios.sort(null);
        double median = ratios.get(ratios.size() / 2);
        System.out.printf(
                Locale.ROOT,
                "%s: nginx's time on the processor divided by ours: median %.2f of %d pairs, %.2f to %.2f%n",
                name,
                median,
                ratios.size(),
                ratios.getFirst(),
                ratios.getLast());
        report.goal("poll_" + name + "_nginx_ratio", median, Bound.AT_LEAST, goal);
    }

    private Wrk.Result run(Nginx nginx, URI base, boolean newConnections) throws IOException, InterruptedException {
        return Wrk.run(base, CLUSTER, newConnections, options.secondsEach(), nginx.pid());
    }

    private int bodyLength;

    private void check(Wrk.Result result) throws IOException {
        if (bodyLength == 0) {
            Path file = Path.of(options.data().resolve("nginx/answers") + FleetTokens.path(CLUSTER) + ".gz");
            bodyLength = Math.toIntExact(Files.size(file));
        }
        // A request that was on its way when the time was up counts with its bytes alone.
        if (result.bytesEach() < bodyLength * 0.99 || result.bytesEach() > (bodyLength + LONGEST_HEAD) * 1.01) {
            throw new IllegalStateException(result.bytesEach() + " bytes an answer, with a body of " + bodyLength);
        }
    }

    private static Map<String, Object> row(String name, int pair, Wrk.Result ours, Wrk.Result theirs, double ratio) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("section", name);
        row.put("pair", pair + 1);
        row.put("homeport_cpu_us", ours.cpuMicros());
        row.put("homeport_per_s", ours.perSecond());
        row.put("nginx_cpu_us", theirs.cpuMicros());
        row.put("nginx_per_s", theirs.perSecond());
        row.put("ratio", ratio);
        return row;
    }

    /** A key on P-256, as most issuers make them now; a certificate for a day. */
    static void certify(Path certificate, Path key) throws IOException, InterruptedException {
        Pinned.require("openssl", "openssl");
        List<String> command = List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=localhost",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("openssl: " + out);
        }
    }

    private static byte[] get(String base, String encoding) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(base + FleetTokens.path(CLUSTER)))
                    .header(
                            "Authorization",
                            "Bearer " + FleetTokens.token(CLUSTER).reveal())
                    .header("Accept-Encoding", encoding)
                    .build();
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException(base + " answered " + response.statusCode());
            }
            return response.body();
        }
    }
}
