package dev.homeport.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the tables hold them: whole microseconds since 1970. */
final class MicroTime {
    private static final Instant FIRST = of(Long.MIN_VALUE / 1_000);
    private static final Instant LAST = of(Long.MAX_VALUE / 1_000);

    private MicroTime() {}

    static long floor(Instant time) {
        Instant bounded = time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
        return Math.addExact(Math.multiplyExact(bounded.getEpochSecond(), 1_000_000L), bounded.getNano() / 1_000);
    }

    static Instant of(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
