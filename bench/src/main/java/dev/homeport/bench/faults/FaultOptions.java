package dev.homeport.bench.faults;

import dev.homeport.sim.Times;
import java.time.Duration;
import java.util.List;

/**
 * How a run was asked for.
 *
 * @param rate polls a second of all clusters together
 * @param writes how many changes are made, the removals among them
 * @param removals changes that take something away and need a confirmation
 */
public record FaultOptions(int clusters, Duration time, double rate, int writes, int removals, int kills, long seed) {
    private static final String USAGE =
            "options: --clusters N --for TIME --rate N --writes N --removals N --kills N --seed N";

    public static final FaultOptions STANDARD = new FaultOptions(10_000, Duration.ofMinutes(2), 1000, 240, 50, 6, 1);

    static FaultOptions parse(List<String> args) {
        FaultOptions options = STANDARD;
        for (int i = 0; i < args.size(); i += 2) {
            if (i + 1 >= args.size()) {
                throw new IllegalArgumentException(args.get(i) + " needs a value; " + USAGE);
            }
            options = options.with(args.get(i), args.get(i + 1));
        }
        return options;
    }

    private FaultOptions with(String name, String value) {
        return switch (name) {
            case "--clusters" -> new FaultOptions(number(value), time, rate, writes, removals, kills, seed);
            case "--for" -> new FaultOptions(clusters, Times.parse(value), rate, writes, removals, kills, seed);
            case "--rate" -> new FaultOptions(clusters, time, number(value), writes, removals, kills, seed);
            case "--writes" -> new FaultOptions(clusters, time, rate, number(value), removals, kills, seed);
            case "--removals" -> new FaultOptions(clusters, time, rate, writes, number(value), kills, seed);
            case "--kills" -> new FaultOptions(clusters, time, rate, writes, removals, number(value), seed);
            case "--seed" -> new FaultOptions(clusters, time, rate, writes, removals, kills, number(value));
            default -> throw new IllegalArgumentException("unknown option " + name + "; " + USAGE);
        };
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }
}
