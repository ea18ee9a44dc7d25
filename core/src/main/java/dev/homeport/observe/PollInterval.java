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
    private static final String MEASURED = "~";
    private static final String QUERY = "every=";

    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h)");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h)){1,4}");

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

    /**
     * The interval that the cluster really has. A poll that says it is believed. Otherwise the document is, unless polls come
     * further apart than that: the document may have changed without the cluster knowing.
     *
     * @param document what the cluster's document says, empty if it says nothing
     * @param every what a poll showed: a duration, one that was {@link #measured}, or empty
     */
    public static Duration of(String document, String every) {
        if (every.isEmpty()) {
            return of(document);
        }
        Duration shown = of(every);
        if (!isMeasured(every)) {
            return shown;
        }
        Duration said = of(document);
        return shown.compareTo(said) > 0 ? shown : said;
    }

    /** What the query of a poll says, as in {@code every=1m}; empty if it says nothing that is a duration. */
    public static String inQuery(String query) {
        int parameter = query.startsWith(QUERY) ? 0 : query.indexOf("&" + QUERY) + 1;
        if (parameter == 0 && !query.startsWith(QUERY)) {
            return "";
        }
        int end = query.indexOf('&', parameter);
        String text = query.substring(parameter + QUERY.length(), end < 0 ? query.length() : end);
        return DURATION.matcher(text).matches() ? text : "";
    }

    /** A number of seconds that was measured between polls, for {@link #of(String, String)}. */
    public static String measured(float seconds) {
        return MEASURED + Math.round(seconds * 1000) + "ms";
    }

    public static boolean isMeasured(String every) {
        return every.startsWith(MEASURED);
    }

    /** No poll for three intervals. */
    public static Duration silence(Duration interval) {
        return interval.multipliedBy(MISSED);
    }
}
