package dev.homeport.bench.poll;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.Goal.Bound;
import dev.homeport.bench.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What a fleet of many clusters, each with a token of its own, costs: time, memory, start. */
final class FleetSizes {
    private static final int CLUSTERS = 10_000;
    private static final int DESIGN_RATE = 167;
    private static final int TEN_FOLD = 1_670;
    private static final double RESIDENT_MIB = 512;
    private static final int FLAT_RATE = 1_000;
    private static final int COMMIT_CLUSTERS = 50_000;

    private final PollOptions options;
    private final PollFleet fleet;
    private final Report report;

    FleetSizes(PollOptions options, PollFleet fleet, Report report) {
        this.options = options;
        this.fleet = fleet;
        this.report = report;
    }

    /** p99 as the fleet sees it, and p50 as the server does. */
    void latency() throws IOException, InterruptedException {
        try (Homeport homeport = Homeport.serve(
                fleet.of(CLUSTERS), List.of("--admin-token-file", FleetTokens.adminFile(options.data())))) {
            load(homeport, CLUSTERS, TEN_FOLD, options.secondsOfWarmUp());
            for (int rate : List.of(DESIGN_RATE, TEN_FOLD)) {
                ServerTime before = ServerTime.of(homeport.metrics());
                Map<String, Object> figures = load(homeport, CLUSTERS, rate, 4 * options.secondsEach());
                double inside = ServerTime.of(homeport.metrics()).millis(before, 0.5);
                figures.put("section", "latency");
                figures.put("server_p50_at_most_ms", inside);
                report.figures(figures);
                System.out.println(rate + " polls a second of " + CLUSTERS + " clusters: " + figures);
                report.goal("poll_p99_" + rate + "_per_s_ms", number(figures, "p99_ms"), Bound.AT_MOST, 5);
                report.goal("poll_server_p50_" + rate + "_per_s_ms", inside, Bound.AT_MOST, 0.999);
                report.goal("poll_errors_" + rate + "_per_s", number(figures, "errors"), Bound.AT_MOST, 0);
            }
            if (options.has(PollOptions.Section.MEMORY)) {
                memory(homeport);
            }
        }
    }

    /** While it is being polled. */
    private void memory(Homeport homeport) throws IOException {
        double resident = Pinned.residentMib(homeport.pid());
        report.figures(Map.of("section", "memory", "clusters", CLUSTERS, "resident_mib", resident));
        report.goal("poll_resident_" + CLUSTERS + "_clusters_mib", resident, Bound.AT_MOST, RESIDENT_MIB);
    }

    void memoryAlone() throws IOException {
        try (Homeport homeport = Homeport.serve(fleet.of(CLUSTERS), List.of())) {
            load(homeport, CLUSTERS, TEN_FOLD, 4 * options.secondsEach());
            memory(homeport);
        }
    }

    /**
     * Processor time of one poll, all clusters in turn, at the same rate whatever the size. The sizes are measured in turns, as
     * a machine with neighbours is half as fast from one minute to the next.
     */
    void flat() throws IOException {
        List<Sized> all = new ArrayList<>();
        double errors = 0;
        try {
            for (int size : options.sizes()) {
                Sized one = new Sized(size, Homeport.serve(fleet.of(size), List.of()), new ArrayList<>());
                all.add(one);
                // Every cluster once, so that what is kept of its answer is there, and long enough for the compiler.
                load(one.homeport, size, TEN_FOLD, Math.max(2 * options.secondsOfWarmUp(), size / TEN_FOLD + 1));
            }
            for (int turn = 0; turn < options.pairs(); turn++) {
                for (Sized one : all) {
                    double before = Pinned.cpuSeconds(one.homeport.pid());
                    Map<String, Object> figures = load(one.homeport, one.clusters, FLAT_RATE, options.secondsEach());
                    double used = Pinned.cpuSeconds(one.homeport.pid()) - before;
                    errors += number(figures, "errors");
                    double polls = number(figures, "polls") + 3.0 * FLAT_RATE; // the load's own warm-up
                    one.micros.add(used / polls * 1e6);
                }
            }
        } finally {
            all.forEach(one -> one.homeport.close());
        }
        for (Sized one : all) {
            report.figures(Map.of("section", "flat", "clusters", one.clusters, "cpu_us", one.middle()));
            System.out.printf(
                    Locale.ROOT,
                    "%,d clusters: %.1f µs of processor a poll (%.1f to %.1f)%n",
                    one.clusters,
                    one.middle(),
                    Collections.min(one.micros),
                    Collections.max(one.micros));
        }
        double mean = all.stream().mapToDouble(Sized::middle).average().orElseThrow();
        double furthest = all.stream()
                .mapToDouble(one -> Math.abs(one.middle() / mean - 1))
                .max()
                .orElseThrow();
        double largest = all.stream().mapToDouble(Sized::middle).max().orElseThrow();
        double smallest = all.stream().mapToDouble(Sized::middle).min().orElseThrow();
        report.goal("poll_errors_at_any_size", errors, Bound.AT_MOST, 0);
        report.goal("poll_cpu_off_the_mean_at_any_size", furthest, Bound.AT_MOST, 0.2);
        report.goal("poll_cpu_largest_to_smallest", largest / smallest, Bound.AT_MOST, 1.2);
    }

    /** A server with a fleet, and what a poll cost it in each turn. */
    private record Sized(int clusters, Homeport homeport, List<Double> micros) {
        double middle() {
            return micros.stream().sorted().toList().get(micros.size() / 2);
        }
    }

    /** Polls of a server that only reads, while another process changes every cluster in one commit. All share all cores. */
    void largeCommit() throws IOException {
        int clusters = options.shortened() ? 10_000 : COMMIT_CLUSTERS;
        int commits = options.shortened() ? 1 : 3;
        Path data = fleet.of(clusters);
        try (Homeport homeport = Homeport.unpinned(data, List.of("--mode", "read-only"))) {
            CompletableFuture<Map<String, Object>> writing = CompletableFuture.supplyAsync(() -> {
                try {
                    return ChildJvm.run(
                            List.of("-Xmx4g"),
                            LargeCommit.class,
                            List.of(data.toString(), Integer.toString(clusters), Integer.toString(commits)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            double polls = 0;
            double errors = 0;
            double slowest = 0;
            while (!writing.isDone()) {
                Map<String, Object> figures = load(homeport, clusters, DESIGN_RATE, 10 * (commits + 1));
                polls += number(figures, "polls");
                errors += number(figures, "errors_in_all");
                slowest = Math.max(slowest, number(figures, "max_ms"));
            }
            Map<String, Object> figures = new LinkedHashMap<>(writing.join());
            figures.putAll(Map.of(
                    "section", "commit", "clusters", clusters, "polls", polls, "errors", errors, "max_ms", slowest));
            report.figures(figures);
            System.out.println("commits that change " + clusters + " clusters, beside polls: " + figures);
            report.goal("poll_errors_beside_a_commit_of_" + clusters + "_clusters", errors, Bound.AT_MOST, 0);
        }
    }

    /** From the command to the line that says ready. */
    void start() throws IOException {
        Path data = fleet.of(CLUSTERS);
        Homeport.unpinned(data, true).close(); // makes the cache, and leaves the files in the system's
        double with = start(data, true);
        double without = start(data, false);
        System.out.printf(
                Locale.ROOT, "start with %,d clusters: %.2f s; without AOT cache %.2f s%n", CLUSTERS, with, without);
        report.figures(Map.of("section", "start", "aot_s", with, "plain_s", without));
        report.goal("poll_start_" + CLUSTERS + "_clusters_s", with, Bound.AT_MOST, 3);
    }

    private static double start(Path data, boolean aot) throws IOException {
        double[] seconds = new double[3];
        for (int i = 0; i < seconds.length; i++) {
            try (Homeport homeport = Homeport.unpinned(data, aot)) {
                seconds[i] = homeport.secondsToReady();
            }
        }
        java.util.Arrays.sort(seconds);
        return seconds[1];
    }

    private static Map<String, Object> load(Homeport homeport, int clusters, int rate, int seconds) throws IOException {
        Map<String, Object> figures = new LinkedHashMap<>(ChildJvm.run(
                List.of("taskset", "-c", Integer.toString(Pinned.LOAD)),
                List.of("-Xmx1g"),
                RatedLoad.class,
                List.of(
                        homeport.poll(),
                        Integer.toString(clusters),
                        Integer.toString(rate),
                        Integer.toString(seconds))));
        figures.put("rate", rate);
        return figures;
    }

    private static double number(Map<String, Object> figures, String name) {
        return ((Number) figures.getOrDefault(name, Double.NaN)).doubleValue();
    }
}
