package dev.homeport.store;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.Stamp;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** One stamp per commit, shared by all its documents. */
final class StampBook {
    private static final ManyValues BY_REVISION = new ManyValues("""
            SELECT revision, epoch, time, actor, reason
            FROM commits
            WHERE revision IN (%s)
            """);

    private final Map<Long, Stamp> stamps = new HashMap<>();

    /** Reads the stamps that are not known yet. */
    void learn(Session session, LongStream revisions) throws SQLException {
        List<Long> missing = revisions
                .distinct()
                .filter(revision -> !stamps.containsKey(revision))
                .boxed()
                .toList();
        for (int from = 0; from < missing.size(); from += ManyValues.MOST) {
            List<Long> some = missing.subList(from, Math.min(from + ManyValues.MOST, missing.size()));
            session.each(
                    BY_REVISION.query(some.size()),
                    row -> stamps.put(
                            row.getLong(1),
                            new Stamp(
                                    row.getLong(1),
                                    row.getLong(2),
                                    MicroTime.of(row.getLong(3)),
                                    row.getString(4),
                                    row.getString(5))),
                    ManyValues.padded(List.of(), some));
        }
    }

    Stamp of(long revision) {
        Stamp stamp = stamps.get(revision);
        if (stamp == null) {
            throw new StoreCorrupt("a document refers to revision " + revision + ", which is not in the log");
        }
        return stamp;
    }
}
