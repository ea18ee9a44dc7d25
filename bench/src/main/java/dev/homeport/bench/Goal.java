package dev.homeport.bench;

import java.util.Locale;

/** A figure that must not be missed: at most, or at least, a target. */
public record Goal(String name, double value, Bound bound, double target) {
    public enum Bound {
        AT_MOST("<="),
        AT_LEAST(">=");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    boolean met() {
        return switch (bound) {
            case AT_MOST -> value <= target;
            case AT_LEAST -> value >= target;
        };
    }

    String line() {
        return "GOAL %s %s %s%s %s".formatted(name, plain(value), bound.sign, plain(target), met() ? "PASS" : "FAIL");
    }

    private static String plain(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
