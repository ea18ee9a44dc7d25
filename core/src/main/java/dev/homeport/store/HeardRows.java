package dev.homeport.store;

import dev.homeport.observe.HeardDay;
import dev.homeport.observe.HeardSlot;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** A day's 288 slots as five numbers, because both databases can combine numbers with a bitwise or, in any order. */
final class HeardRows {
    private static final int WORDS = 5;

    private static final Comparator<HeardSlot> ORDER = Comparator.comparing(HeardSlot::cluster)
            .thenComparing(HeardSlot::day)
            .thenComparingInt(HeardSlot::slot);

    private HeardRows() {}

    static void save(Session session, Set<HeardSlot> heard) throws SQLException {
        List<HeardSlot> slots = heard.stream().sorted(ORDER).toList();
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
        HeardSlot before = null;
        for (HeardSlot slot : slots) {
            if (before != null
                    && slot.cluster().equals(before.cluster())
                    && slot.day().equals(before.day())) {
                rows.flush(); // one statement must not meet the same row twice
            }
            rows.add(
                    slot.cluster(),
                    slot.day().toEpochDay(),
                    word(slot, 0),
                    word(slot, 1),
                    word(slot, 2),
                    word(slot, 3),
                    word(slot, 4));
            before = slot;
        }
        rows.flush();
    }

    private static long word(HeardSlot slot, int index) {
        return slot.slot() / Long.SIZE == index ? 1L << slot.slot() % Long.SIZE : 0;
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
