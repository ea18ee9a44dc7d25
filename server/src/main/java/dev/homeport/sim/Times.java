package dev.homeport.sim;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 30s, 2m, 1h. */
public final class Times {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(ms|s|m|h)?");

    private Times() {}

    /** A number alone is seconds. */
    public static Duration parse(String text) {
        Matcher time = FORM.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a time: write it like 30s, 2m or 1h");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2) == null ? "s" : time.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
