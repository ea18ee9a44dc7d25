package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * The first step of every write: locks the head row and makes sure that this process is still the writer. A process that
 * was paused while another took over finds a higher fence and is refused, whatever became of its file lock.
 */
final class HeadLock {
    private final Dialect dialect;
    private final OptionalLong fence;

    private HeadLock(Dialect dialect, OptionalLong fence) {
        this.dialect = dialect;
        this.fence = fence;
    }

    /** Takes over from earlier writers where the dialect knows one writer only. */
    static HeadLock acquire(Database database) {
        Dialect dialect = database.dialect();
        if (!dialect.isFenced()) {
            return new HeadLock(dialect, OptionalLong.empty());
        }
        long fence = database.write(session -> {
            session.update("UPDATE head SET fence = fence + 1");
            return lock(session, dialect).fence();
        });
        return new HeadLock(dialect, OptionalLong.of(fence));
    }

    /** For a store that never writes. */
    static HeadLock none(Dialect dialect) {
        return new HeadLock(dialect, OptionalLong.empty());
    }

    HeadRow take(Session session) throws SQLException {
        HeadRow head = lock(session, dialect);
        if (fence.isPresent() && fence.getAsLong() != head.fence()) {
            throw new StoreRefused("another process has become the writer of this store; stop this one");
        }
        return head;
    }

    private static HeadRow lock(Session session, Dialect dialect) throws SQLException {
        return session.first(dialect.lockHead(), HeadRow::read).orElseThrow(HeadRow::missing);
    }
}
