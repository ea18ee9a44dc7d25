package dev.homeport.cli.output;

import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as people type them: {@code 24h}, or {@code 2027-01-31}, or {@code 2027-01-31T12:00:00Z}. */
public final class Times {
    private Times() {}

    /** That long from now, or that time. */
    public static String ahead(ProcessEnvironment process, String text) {
        return Ages.duration(text)
                .map(duration -> process.clock().instant().plus(duration))
                .map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString())
                .orElseGet(() -> fixed(text));
    }

    /** That long ago, or that time. */
    public static String back(ProcessEnvironment process, String text) {
        return Ages.duration(text)
                .map(duration -> process.clock().instant().minus(duration))
                .map(time -> time.truncatedTo(ChronoUnit.SECONDS).toString())
                .orElseGet(() -> fixed(text));
    }

    public static Duration duration(String text) {
        return Ages.duration(text)
                .orElseThrow(() -> new UsageProblem(text + " is not a time span; write it like 90s, 15m, 24h or 7d"));
    }

    private static String fixed(String text) {
        String whole = text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}") ? text + "T00:00:00Z" : text;
        return Ages.time(whole)
                .map(Instant::toString)
                .orElseThrow(() ->
                        new UsageProblem(text + " is not a time; write 24h, 2027-01-31 or 2027-01-31T12:00:00Z (UTC)"));
    }
}
