package dev.homeport.bench.poll;

import dev.homeport.bench.Goal.Bound;
import dev.homeport.bench.Report;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The polls of a whole fleet in random order, Homeport and nginx in turn: with one token for all clusters and with a token for
 * each, gzipped and plain, on connections that stay and on new ones.
 */
final class Patterns {
    private static final int CLUSTERS = 10_000;
    private static final double AGREEMENT = 0.03;
    private static final int MOST_ROUNDS = 20;

    /** What wrk counts of an answer besides its body. */
    private static final int LONGEST_HEAD = 600;

    private final PollOptions options;
    private final PollFleet fleet;
    private final Report report;

    Patterns(PollOptions options, PollFleet fleet, Report report) {
        this.options = options;
        this.fleet = fleet;
        this.report = report;
    }

    /** One way to poll. */
    private record Cell(boolean shared, boolean gzip, boolean newConnections) {
        String name() {
            return (newConnections ? "new_connection" : "keepalive")
                    + (gzip ? "_gzip" : "_plain")
                    + (shared ? "_shared_token" : "_own_token");
        }

        double goal() {
            return gzip ? 1.0 : 0.8;
        }

        static List<Cell> all() {
            List<Cell> cells = new ArrayList<>();
            for (boolean newConnections : new boolean[] {false, true}) {
                for (boolean gzip : new boolean[] {true, false}) {
                    cells.add(new Cell(true, gzip, newConnections));
                    cells.add(new Cell(false, gzip, newConnections));
                }
            }
            return cells;
        }
    }

    /** How long the bodies of all answers are on average, in either form. */
    private record Lengths(double plain, double gzip) {}

    void compare() throws IOException, InterruptedException {
        Pinned.require("nginx", "nginx-light");
        Pinned.require("wrk", "wrk");
        Path folder = options.data().resolve("nginx-patterns");
        Path certificate = options.data().resolve("certificate.pem");
        Path key = options.data().resolve("key.pem");
        Files.createDirectories(folder);
        Peers.certify(certificate, key);
        List<String> admin = List.of("--admin-token-file", FleetTokens.adminFile(options.data()));
        try (Homeport homeport = Homeport.serve(fleet.of(CLUSTERS), admin)) {
            Lengths lengths = copy(homeport, folder);
            Path own = requests(false);
            Path shared = requests(true);
            try (Nginx nginx = Nginx.serve(folder, CLUSTERS, certificate, key)) {
                for (Cell cell : Cell.all()) {
                    compare(cell, cell.shared() ? shared : own, homeport, nginx, lengths);
                }
            }
        }
    }

    /** Gives nginx the answers of all clusters, as Homeport sends them. */
    private static Lengths copy(Homeport homeport, Path folder) throws IOException, InterruptedException {
        System.err.println("patterns: copying the answers of " + CLUSTERS + " clusters…");
        long plain = 0;
        long gzip = 0;
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int number = 0; number < CLUSTERS; number++) {
                byte[] body = get(client, homeport, number, "identity");
                byte[] zipped = get(client, homeport, number, "gzip");
                Nginx.answer(folder, FleetTokens.path(number), body, zipped);
                plain += body.length;
                gzip += zipped.length;
            }
        }
        return new Lengths((double) plain / CLUSTERS, (double) gzip / CLUSTERS);
    }

    private static byte[] get(HttpClient client, Homeport homeport, int number, String encoding)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(homeport.poll() + FleetTokens.path(number)))
                .header("Authorization", "Bearer " + FleetTokens.token(number).reveal())
                .header("Accept-Encoding", encoding)
                .build();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("cluster " + number + " was answered " + response.statusCode());
        }
        return response.body();
    }

    private Path requests(boolean shared) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int number = 0; number < CLUSTERS; number++) {
            lines.add(FleetTokens.path(number) + "\t"
                    + (shared ? FleetTokens.admin() : FleetTokens.token(number)).reveal());
        }
        return Files.write(options.data().resolve(shared ? "requests-shared" : "requests-own"), lines);
    }

    private void compare(Cell cell, Path requests, Homeport homeport, Nginx nginx, Lengths lengths)
            throws IOException, InterruptedException {
        URI ours = URI.create(homeport.poll());
        URI theirs = nginx.base(false);
        double length = cell.gzip() ? lengths.gzip() : lengths.plain();
        warmUp(cell, requests, ours, homeport.pid());
        warmUp(cell, requests, theirs, nginx.pid());
        List<Double> ratios = new ArrayList<>();
        List<Double> mine = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        for (int pair = 0; pair < options.pairs(); pair++) {
            // Who comes first changes, as a machine may get slower or faster meanwhile.
            boolean oursFirst = pair % 2 == 0;
            Wrk.Result first =
                    run(cell, requests, oursFirst ? ours : theirs, (oursFirst ? homeport.pid() : nginx.pid()));
            Wrk.Result second =
                    run(cell, requests, oursFirst ? theirs : ours, (oursFirst ? nginx.pid() : homeport.pid()));
            check(first, length);
            check(second, length);
            Wrk.Result homeports = oursFirst ? first : second;
            Wrk.Result nginxs = oursFirst ? second : first;
            mine.add(homeports.cpuMicros());
            others.add(nginxs.cpuMicros());
            ratios.add(nginxs.cpuMicros() / homeports.cpuMicros());
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("section", "patterns");
        row.put("pattern", cell.name());
        row.put("homeport_cpu_us", middle(mine));
        row.put("nginx_cpu_us", middle(others));
        row.put("ratio", middle(ratios));
        report.figures(row);
        System.out.printf(
                Locale.ROOT,
                "%s: homeport %.1f µs, nginx %.1f µs a poll; ratio %.2f (%d pairs, %.2f to %.2f)%n",
                cell.name(),
                middle(mine),
                middle(others),
                middle(ratios),
                ratios.size(),
                ratios.stream().min(Double::compare).orElseThrow(),
                ratios.stream().max(Double::compare).orElseThrow());
        report.goal("poll_pattern_" + cell.name() + "_nginx_ratio", middle(ratios), Bound.AT_LEAST, cell.goal());
    }

    /** Until two rounds one after the other cost the same within {@link #AGREEMENT}. */
    private void warmUp(Cell cell, Path requests, URI base, long server) throws IOException, InterruptedException {
        double before = run(cell, requests, base, server).cpuMicros();
        for (int round = 1; round < MOST_ROUNDS; round++) {
            double now = run(cell, requests, base, server).cpuMicros();
            if (Math.abs(now / before - 1) <= AGREEMENT) {
                return;
            }
            before = now;
        }
        System.err.println(cell.name() + ": no two rounds of the warm-up agreed; the machine is not quiet");
    }

    private Wrk.Result run(Cell cell, Path requests, URI base, long server) throws IOException, InterruptedException {
        return Wrk.random(base, requests, cell.gzip(), cell.newConnections(), options.secondsEach(), server);
    }

    private static void check(Wrk.Result result, double length) {
        // A request that was on its way when the time was up counts with its bytes alone.
        if (result.bytesEach() < length * 0.98 || result.bytesEach() > (length + LONGEST_HEAD) * 1.02) {
            throw new IllegalStateException(
                    result.bytesEach() + " bytes an answer, with bodies of " + length + " on average");
        }
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
