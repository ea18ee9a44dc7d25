package dev.homeport.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Times as people read them: how long ago, how soon. */
public final class Ages {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d|w)");

    private final InstantSource clock;

    public Ages(InstantSource clock) {
        this.clock = clock;
    }

    /** A column that says how long ago the time at a path is. */
    public Function<JsonNode, String> since(String path) {
        return document ->
                time(Column.text(Column.at(document, path))).map(this::ago).orElse("");
    }

    /** A column that says in what time the time at a path comes. */
    public Function<JsonNode, String> until(String path) {
        return document ->
                time(Column.text(Column.at(document, path))).map(this::ahead).orElse("");
    }

    public String ago(Instant time) {
        return shortly(Duration.between(time, clock.instant()));
    }

    public String ahead(Instant time) {
        Duration left = Duration.between(clock.instant(), time);
        return left.isNegative() ? "due" : "in " + shortly(left);
    }

    /** One unit, two where the first is small. */
    public static String shortly(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 120) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + "h" : hours / 24 + "d";
    }

    public static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** Such as {@code 90s}, {@code 1h30m}, {@code 7d}, {@code 2w}. */
    public static Optional<Duration> duration(String text) {
        Matcher part = PART.matcher(text);
        double millis = 0;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            millis += Double.parseDouble(part.group(1))
                    * switch (part.group(2)) {
                        case "ms" -> 1;
                        case "s" -> 1000;
                        case "m" -> 60_000;
                        case "h" -> 3_600_000;
                        case "d" -> 86_400_000;
                        default -> 604_800_000;
                    };
            end = part.end();
        }
        return end == text.length() && end > 0 && millis < 1e14
                ? Optional.of(Duration.ofMillis((long) millis))
                : Optional.empty();
    }
}
