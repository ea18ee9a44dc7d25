package dev.homeport.bench.core;

import dev.homeport.bench.Table;
import java.util.List;
import java.util.Locale;

/** The results, one table for each topic. */
final class CoreTables {
    private CoreTables() {}

    static void print(List<SizeResult> results) {
        print(
                "Heap after loading (compact: with -XX:+UseCompactObjectHeaders)",
                results,
                column("clusters", "clusters", 0),
                column("MiB", "heap_mib", 1),
                column("bytes per cluster", "heap_per_cluster_bytes", 0),
                column("compact bytes per cluster", "compact_heap_per_cluster_bytes", 0));
        print(
                "Filling the store, verifying it, and loading it in a fresh process, in seconds",
                results,
                column("clusters/s by the writer", "import_per_s", 0),
                column("the others in bulk", "bulk_s", 1),
                column("verify", "verify_s", 1),
                column("load", "load_s", 2),
                column("load, compact headers", "compact_load_s", 2));
        print(
                "Commit of one cluster until it is published, in milliseconds; rest is all but the store's append",
                results,
                column("p50", "commit_p50_ms", 2),
                column("p99", "commit_p99_ms", 2),
                column("append p50", "commit_store_p50_ms", 2),
                column("append p99", "commit_store_p99_ms", 2),
                column("rest p50", "commit_rest_p50_ms", 2),
                column("rest p99", "commit_rest_p99_ms", 2));
        print(
                "Plan of a catalog change that touches every cluster, in milliseconds",
                results,
                column("plan", "plan_all_ms", 0));
        print(
                "One answer on one thread, in microseconds",
                results,
                column("components, set", "resolve_render_set_us", 1),
                column("its SHA-256 alone", "digest_us", 1),
                column("components, flat", "resolve_render_flat_us", 1),
                column("all three types, set", "resolve_render_all_types_us", 1),
                column("components, resolve only", "resolve_only_us", 1),
                column("explain components", ExplainCost.FIGURE, 1),
                column("set body bytes", "answer_bytes", 0));
    }

    private record Column(String heading, String figure, int digits) {
        String of(SizeResult result) {
            double value = result.number(figure);
            return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", value);
        }
    }

    private static Column column(String heading, String figure, int digits) {
        return new Column(heading, figure, digits);
    }

    private static void print(String title, List<SizeResult> results, Column... columns) {
        String[] headings = new String[columns.length + 2];
        headings[0] = "size";
        headings[1] = "store";
        for (int i = 0; i < columns.length; i++) {
            headings[i + 2] = columns[i].heading();
        }
        Table table = new Table(headings);
        for (SizeResult result : results) {
            Object[] cells = new Object[headings.length];
            cells[0] = String.format(Locale.ROOT, "%,d", result.size());
            cells[1] = result.store();
            for (int i = 0; i < columns.length; i++) {
                cells[i + 2] = columns[i].of(result);
            }
            table.row(cells);
        }
        System.out.println(title);
        System.out.println(table);
    }
}
