package dev.homeport.bench.access;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists of one workspace: by its admin, who sees nothing else, and by a platform admin, who filters. */
public final class AccessBenchmark implements Benchmark {
    private static final int CLUSTERS = 100_000;
    private static final int OF_ONE = 1_000;
    private static final int BATCH = 5_000;
    private static final int WARM_UP = 150;
    private static final int ROUNDS = 400;

    @Override
    public String name() {
        return "access";
    }

    @Override
    public String summary() {
        return "lists of one workspace of 1,000 clusters out of 100,000, by its admin and by a platform admin";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        int clusters = args.isEmpty() ? CLUSTERS : Integer.parseInt(args.getFirst());
        Path folder = Files.createTempDirectory("homeport-access");
        try (ServedFleet fleet = ServedFleet.start(folder.resolve("data"))) {
            measure(fleet, clusters, report);
        } finally {
            delete(folder);
        }
    }

    private static void measure(ServedFleet fleet, int clusters, Report report) throws Exception {
        String scoped = build(fleet, clusters);
        String filtered = "/api/v2/clusters?page_size=1000&filter=workspace%3D%22ws-0%22";
        String own = "/api/v2/clusters?page_size=1000";
        int seen = fleet.json(scoped, own + "&counts=true").path("total").asInt(0);
        if (seen != Math.min(OF_ONE, clusters)) {
            throw new IllegalStateException("the workspace's admin sees " + seen + " clusters");
        }
        double[] admin = new double[ROUNDS];
        double[] same = new double[ROUNDS];
        double[] plain = new double[ROUNDS];
        // In turn, so that whatever else the machine does falls on all of them alike.
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            double one = millis(fleet, fleet.admin(), filtered);
            double two = millis(fleet, scoped, filtered);
            double three = millis(fleet, scoped, own);
            if (i >= 0) {
                admin[i] = one;
                same[i] = two;
                plain[i] = three;
            }
        }
        Table table = new Table("list of " + seen + " out of " + clusters, "middle ms");
        table.row("platform admin, filter by workspace", text(middle(admin)));
        table.row("workspace admin, the same filter", text(middle(same)));
        table.row("workspace admin, no filter", text(middle(plain)));
        System.out.print(table);
        report.figures(Map.of(
                "clusters", clusters, "admin_ms", middle(admin), "scoped_ms", middle(same), "own_ms", middle(plain)));
        report.goal("scoped list / admin's list", middle(same) / middle(admin), Goal.Bound.AT_MOST, 1.05);
        report.goal("own list / admin's list", middle(plain) / middle(admin), Goal.Bound.AT_MOST, 1.05);
    }

    private static String text(double millis) {
        return String.format(java.util.Locale.ROOT, "%.2f", millis);
    }

    private static double millis(ServedFleet fleet, String token, String path) throws Exception {
        long start = System.nanoTime();
        fleet.get(token, path);
        return (System.nanoTime() - start) / 1e6;
    }

    private static double middle(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Gives the token of the first workspace's admin. */
    private static String build(ServedFleet fleet, int clusters) throws Exception {
        StringBuilder workspaces = new StringBuilder();
        for (int i = 0; i * OF_ONE < clusters; i++) {
            workspaces
                    .append(i == 0 ? "" : ",")
                    .append("{\"op\":\"create\",\"type\":\"workspace\",\"id\":\"ws-")
                    .append(i)
                    .append("\",\"spec\":{}}");
        }
        fleet.post("/api/v2/changes", "{\"operations\":[" + workspaces + "]}");
        for (int from = 0; from < clusters; from += BATCH) {
            StringBuilder batch = new StringBuilder("{\"operations\":[");
            for (int number = from; number < Math.min(clusters, from + BATCH); number++) {
                batch.append(number == from ? "" : ",").append(creation(number));
            }
            fleet.post("/api/v2/changes", batch.append("]}").toString());
        }
        fleet.post(
                "/api/v2/access-grants",
                "{\"id\":\"wendy\",\"spec\":{\"subject\":\"person:wendy\",\"role\":\"workspace-admin\","
                        + "\"scope\":{\"workspace\":\"ws-0\"}}}");
        return fleet.post("/api/v2/tokens", "{\"spec\":{\"kind\":\"person\",\"subject\":\"wendy\"}}")
                .path("token")
                .asString("");
    }

    private static String creation(int number) {
        String id = "c-" + Integer.toString(number, 36);
        return "{\"op\":\"create\",\"type\":\"cluster\",\"id\":\"" + id + "\",\"spec\":{\"cluster_name\":\"" + id
                + "\",\"cluster_dns\":\"" + id + ".example.com\",\"environment\":\"" + (number % 2 == 0 ? "dev" : "qa")
                + "\",\"owner\":\"team\",\"workspace\":\"ws-" + number / OF_ONE + "\"}}";
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
