package dev.homeport.bench.core;

import com.sun.management.OperatingSystemMXBean;
import dev.homeport.bench.ChildJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a fleet unless it exists, and measures it, each in a JVM of its own. */
final class SizeRun {
    private static final long MIB = 1024L * 1024;
    private static final long BASE_MIB = 1536;

    /** Much more than a cluster takes, so that the collector is not what is measured. */
    private static final long BYTES_PER_CLUSTER = 8 * 1024;

    private SizeRun() {}

    static SizeResult run(FleetHome home, int size, CoreOptions options) throws IOException, SQLException {
        List<String> jvm = new ArrayList<>(List.of("-XX:+UseG1GC", "-Xmx" + heapMib(size) + "m"));
        StoreAddress fleet = home.address(size);
        Map<String, Object> figures = new LinkedHashMap<>();
        if (!home.isBuilt(size)) {
            List<String> args = new ArrayList<>(fleet.words());
            args.add(Integer.toString(size));
            figures.putAll(ChildJvm.run(jvm, FleetBuild.class, args));
            home.markBuilt(size);
        }
        List<String> stores = new ArrayList<>(home.emptyStore().words());
        stores.addAll(fleet.words());
        List<String> compact = with(jvm, "-XX:+UseCompactObjectHeaders");
        Map<String, Object> compactLoad = ChildJvm.run(compact, FleetMeasure.class, with(stores, "load"));
        figures.put("compact_heap_per_cluster_bytes", compactLoad.get("heap_per_cluster_bytes"));
        figures.put("compact_load_s", compactLoad.get("load_s"));
        List<String> extra = new ArrayList<>(jvm);
        extra.addAll(options.jvm());
        figures.putAll(ChildJvm.run(extra, FleetMeasure.class, with(stores, "all")));
        return new SizeResult(home.kind(), size, figures);
    }

    private static List<String> with(List<String> words, String more) {
        List<String> all = new ArrayList<>(words);
        all.add(more);
        return all;
    }

    /** In proportion to the fleet, and never so much that the machine starts to swap. */
    private static long heapMib(int size) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long most = system.getTotalMemorySize() / MIB * 6 / 10;
        return Math.min(most, BASE_MIB + size * BYTES_PER_CLUSTER / MIB);
    }
}
