package dev.homeport.observe;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.BitSet;

/** In which slots of five minutes of a day, in UTC, a cluster was heard from. */
public record HeardDay(LocalDate day, BitSet slots) {
    public static final int SLOTS = 288;

    private static final long SLOT_SECONDS = Duration.ofDays(1).toSeconds() / SLOTS;

    public HeardDay {
        slots = (BitSet) slots.clone();
    }

    public boolean heard(int slot) {
        return slots.get(slot);
    }

    public static LocalDate dayOf(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    public static int slotOf(Instant time) {
        return (int) (Math.floorMod(time.getEpochSecond(), Duration.ofDays(1).toSeconds()) / SLOT_SECONDS);
    }
}
