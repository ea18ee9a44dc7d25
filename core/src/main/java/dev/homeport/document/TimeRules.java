package dev.homeport.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/** Grammars of times and durations. */
final class TimeRules {
    private static final Pattern UTC =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z");

    private static final Pattern ZERO = Pattern.compile("[0.a-z]*");

    private TimeRules() {}

    static Optional<String> instant(String text) {
        if (!UTC.matcher(text).matches()) {
            return Optional.of("this is not a time in UTC (RFC 3339)");
        }
        try {
            Instant.parse(text);
            return Optional.empty();
        } catch (DateTimeException e) {
            return Optional.of("there is no such day");
        }
    }

    /** The pattern of the schema has the form; zero would mean "without pause". */
    static Optional<String> duration(String text) {
        return ZERO.matcher(text).matches() ? Optional.of("the duration is zero") : Optional.empty();
    }
}
