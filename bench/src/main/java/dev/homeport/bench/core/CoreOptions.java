package dev.homeport.bench.core;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the benchmark was asked for.
 *
 * @param full PostgreSQL at every size too
 * @param keep leave the fleets for the next run
 * @param jvm options for the JVMs that measure, such as a flight recording
 */
record CoreOptions(
        List<Integer> sizes, List<StoreKind> stores, boolean full, boolean keep, Path data, List<String> jvm) {
    static final int POSTGRES_LIMIT = 100_000;

    private static final String USAGE =
            "options: --clusters 10000,100000 --store sqlite|postgres|both --full --keep --data DIR --jvm OPTION";

    static CoreOptions parse(List<String> args) {
        List<Integer> sizes = List.of(10_000, 100_000, 1_000_000);
        List<StoreKind> stores = List.of(StoreKind.values());
        boolean full = false;
        boolean keep = false;
        Path data = Path.of(System.getProperty("java.io.tmpdir"), "homeport-bench");
        List<String> jvm = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            switch (args.get(i)) {
                case "--clusters" -> sizes = sizes(value(args, ++i));
                case "--store" -> stores = stores(value(args, ++i));
                case "--full" -> full = true;
                case "--keep" -> keep = true;
                case "--data" -> data = Path.of(value(args, ++i));
                case "--jvm" -> jvm.add(value(args, ++i));
                default -> throw new IllegalArgumentException("unknown option " + args.get(i) + "; " + USAGE);
            }
        }
        return new CoreOptions(sizes, stores, full, keep, data.toAbsolutePath(), List.copyOf(jvm));
    }

    List<Integer> sizes(StoreKind store) {
        return sizes.stream()
                .filter(size -> store == StoreKind.SQLITE || full || size <= POSTGRES_LIMIT)
                .toList();
    }

    private static String value(List<String> args, int at) {
        if (at >= args.size()) {
            throw new IllegalArgumentException(args.getLast() + " needs a value; " + USAGE);
        }
        return args.get(at);
    }

    private static List<Integer> sizes(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(size -> Integer.valueOf(size.strip().replace("_", "")))
                .sorted()
                .toList();
    }

    private static List<StoreKind> stores(String word) {
        return switch (word) {
            case "sqlite" -> List.of(StoreKind.SQLITE);
            case "postgres" -> List.of(StoreKind.POSTGRES);
            case "both" -> List.of(StoreKind.values());
            default -> throw new IllegalArgumentException("unknown store " + word + "; " + USAGE);
        };
    }
}
