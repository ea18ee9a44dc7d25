package dev.homeport.support;

import java.util.SplittableRandom;

/**
 * Runs a property many times, each time with a seed of its own. A failure names the seed; {@code -Dhomeport.seed=…} then runs
 * that one case again. {@code -Dhomeport.depth=quick|long} makes ten times fewer or more.
 */
public final class Cases {
    /** One case; whatever it throws is a failure. */
    @FunctionalInterface
    public interface Case {
        void run(SplittableRandom random) throws Exception;
    }

    private static final int NORMAL = 10_000;

    private Cases() {}

    public static int count() {
        return scaled(NORMAL);
    }

    /** The number for this depth, given the one for the normal depth. */
    public static int scaled(int normal) {
        return switch (System.getProperty("homeport.depth", "normal")) {
            case "quick" -> Math.max(1, normal / 10);
            case "long" -> normal * 10;
            default -> normal;
        };
    }

    public static void forAll(Case property) {
        forAll(count(), property);
    }

    public static void forAll(int cases, Case property) {
        String wanted = System.getProperty("homeport.seed", "");
        if (!wanted.isEmpty()) {
            run(Long.parseLong(wanted), property);
            return;
        }
        SplittableRandom seeds = new SplittableRandom();
        for (int left = cases; left > 0; left--) {
            run(seeds.nextLong(), property);
        }
    }

    private static void run(long seed, Case property) {
        try {
            property.run(new SplittableRandom(seed));
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "failed with seed " + seed + " (run it again with -Dhomeport.seed=" + seed + "): " + e.getMessage(),
                    e);
        }
    }
}
