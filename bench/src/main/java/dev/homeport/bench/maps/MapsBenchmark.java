package dev.homeport.bench.maps;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.Goal.Bound;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether it was right to write a persistent map of our own. */
public final class MapsBenchmark implements Benchmark {
    private static final int ENTRIES = 1_000_000;
    private static final double PUT_FACTOR = 3;
    private static final List<String> JVM = List.of("-XX:+UseG1GC", "-Xmx3g");

    @Override
    public String name() {
        return "maps";
    }

    @Override
    public String summary() {
        return "our persistent map beside those of libraries; --entries N (1,000,000)";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        int entries = entries(args);
        Map<Candidate, Map<String, Object>> results = new EnumMap<>(Candidate.class);
        for (Candidate candidate : Candidate.values()) {
            System.err.println("measuring " + candidate.label() + "…");
            Map<String, Object> figures =
                    ChildJvm.run(JVM, MapMeasure.class, List.of(candidate.name(), Integer.toString(entries)));
            results.put(candidate, figures);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("map", candidate.label());
            row.putAll(figures);
            report.figures(row);
        }
        System.out.println(table(results));
        goals(results, report);
    }

    private static int entries(List<String> args) {
        if (args.isEmpty()) {
            return ENTRIES;
        }
        if (args.size() == 2 && args.getFirst().equals("--entries")) {
            return Integer.parseInt(args.getLast());
        }
        throw new IllegalArgumentException("the only option is --entries N");
    }

    private static Table table(Map<Candidate, Map<String, Object>> results) {
        Table table =
                new Table("map", "sorted", "bytes per entry", "lookup ns", "put known ns", "put new ns", "build ms");
        results.forEach((candidate, figures) -> table.row(
                candidate.label(),
                candidate.sorted() ? "yes" : "no",
                shown(figures, "bytes_per_entry", 1),
                shown(figures, "lookup_ns", 0),
                shown(figures, "put_known_ns", 0),
                shown(figures, "put_new_ns", 0),
                shown(figures, "build_ms", 0)));
        return table;
    }

    private static void goals(Map<Candidate, Map<String, Object>> results, Report report) {
        results.forEach((candidate, figures) -> {
            if (candidate.ours()) {
                String name = candidate.name().toLowerCase(Locale.ROOT);
                report.goal(
                        name + "_bytes_per_entry",
                        number(figures, "bytes_per_entry"),
                        Bound.AT_MOST,
                        best(results, "bytes_per_entry"));
                // What a commit does to the fleet: a document takes the place of its predecessor.
                report.goal(
                        name + "_put_ns",
                        number(figures, "put_known_ns"),
                        Bound.AT_MOST,
                        PUT_FACTOR * best(results, "put_known_ns"));
            }
        });
    }

    private static double best(Map<Candidate, Map<String, Object>> results, String figure) {
        return results.entrySet().stream()
                .filter(entry -> !entry.getKey().ours())
                .mapToDouble(entry -> number(entry.getValue(), figure))
                .min()
                .orElseThrow();
    }

    private static double number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static String shown(Map<String, Object> figures, String name, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", number(figures, name));
    }
}
