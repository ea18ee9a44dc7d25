package dev.homeport.store;

import dev.homeport.observe.HeardDay;
import dev.homeport.observe.ObservedPoll;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** A day's 288 slots as five numbers, because both databases can or numbers together, whoever sets which bit. */
final class HeardRows {
    private static final int WORDS = 5;

    private HeardRows() {}

    private record Slot(String cluster, long day, int slot) {
        static Slot of(ObservedPoll poll) {
            return new Slot(poll.cluster(), HeardDay.dayOf(poll.at()).toEpochDay(), HeardDay.slotOf(poll.at()));
        }

        long word(int index) {
            return slot / Long.SIZE == index ? 1L << slot % Long.SIZE : 0;
        }
    }

    static void save(Session session, List<ObservedPoll> polls) throws SQLException {
        TreeSet<Slot> slots = new TreeSet<>(
                Comparator.comparing(Slot::cluster).thenComparingLong(Slot::day).thenComparingInt(Slot::slot));
        polls.forEach(poll -> slots.add(Slot.of(poll)));
        // A bit that is set already is not written again, which is most of them.
        Session.Batch rows = session.batch("""
                INSERT INTO poll_day (cluster, day, slots_0, slots_1, slots_2, slots_3, slots_4)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, day) DO UPDATE
                SET slots_0 = poll_day.slots_0 | excluded.slots_0, slots_1 = poll_day.slots_1 | excluded.slots_1,
                    slots_2 = poll_day.slots_2 | excluded.slots_2, slots_3 = poll_day.slots_3 | excluded.slots_3,
                    slots_4 = poll_day.slots_4 | excluded.slots_4
                WHERE (poll_day.slots_0 | excluded.slots_0) <> poll_day.slots_0
                   OR (poll_day.slots_1 | excluded.slots_1) <> poll_day.slots_1
                   OR (poll_day.slots_2 | excluded.slots_2) <> poll_day.slots_2
                   OR (poll_day.slots_3 | excluded.slots_3) <> poll_day.slots_3
                   OR (poll_day.slots_4 | excluded.slots_4) <> poll_day.slots_4
                """);
        Slot before = new Slot("", 0, 0);
        for (Slot slot : slots) {
            if (slot.cluster.equals(before.cluster) && slot.day == before.day) {
                rows.flush(); // one statement must not meet the same row twice
            }
            rows.add(slot.cluster, slot.day, slot.word(0), slot.word(1), slot.word(2), slot.word(3), slot.word(4));
            before = slot;
        }
        rows.flush();
    }

    static List<HeardDay> of(Session session, String cluster, LocalDate from) throws SQLException {
        return session.list(
                """
                SELECT day, slots_0, slots_1, slots_2, slots_3, slots_4
                FROM poll_day
                WHERE cluster = ? AND day >= ?
                ORDER BY day
                """,
                row -> {
                    long[] words = new long[WORDS];
                    for (int i = 0; i < WORDS; i++) {
                        words[i] = row.getLong(i + 2);
                    }
                    return new HeardDay(LocalDate.ofEpochDay(row.getLong(1)), BitSet.valueOf(words));
                },
                cluster,
                from.toEpochDay());
    }
}
