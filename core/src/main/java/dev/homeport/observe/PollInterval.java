package dev.homeport.observe;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often a cluster polls, and after how long it counts as silent. */
public final class PollInterval {
    /** What a provider does that says nothing. */
    private static final Duration DEFAULT = Duration.ofMinutes(10);

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int MISSED = 3;
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h)");

    private PollInterval() {}

    /** @param text a duration as Go writes it, empty for the default */
    public static Duration of(String text) {
        double seconds = 0;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            double unit = switch (part.group(2)) {
                case "ms" -> 0.001;
                case "s" -> 1;
                case "m" -> 60;
                default -> 3600;
            };
            seconds += Double.parseDouble(part.group(1)) * unit;
        }
        if (seconds <= 0) {
            return DEFAULT;
        }
        return seconds > LONGEST.toSeconds() ? LONGEST : Duration.ofMillis(Math.round(seconds * 1000));
    }

    /** No poll for three intervals. */
    public static Duration silence(Duration interval) {
        return interval.multipliedBy(MISSED);
    }
}
