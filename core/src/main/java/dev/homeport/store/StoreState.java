package dev.homeport.store;

import dev.homeport.change.Head;
import dev.homeport.change.LogStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What the store says about itself to every server: quarantine, accepted epoch and master key. */
final class StoreState {
    private static final String TABLE = "store_state";

    /** A replica whose clock is further behind the primary's than this cannot say how old it is. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(500);

    private static final Duration UNKNOWN_AGE = Duration.ofDays(3_650);

    private StoreState() {}

    /**
     * A store that no writer of this release has opened yet has no state, and nothing is known against it. A replica of it
     * cannot say how old it is.
     */
    static LogStatus status(Session session, Dialect dialect) throws SQLException {
        record Meta(Head head, int needs, boolean replica) {}
        Meta meta = session.first(
                        "SELECT store_meta.store_id, head.epoch, head.revision, head.hash, store_meta.needs, "
                                + dialect.isReplica() + " FROM head, store_meta",
                        row -> new Meta(
                                new Head(row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)),
                                row.getInt(5),
                                row.getInt(6) != 0))
                .orElseThrow(HeadRow::missing);
        if (meta.needs > Migrations.SCHEMA) {
            return new LogStatus(meta.head, Optional.of(Migrations.later(meta.needs)), 0, Optional.empty());
        }
        if (!isPresent(session, dialect)) {
            return new LogStatus(
                    meta.head, Optional.empty(), 0, meta.replica ? Optional.of(UNKNOWN_AGE) : Optional.empty());
        }
        return session.first(
                        "SELECT quarantine, accepted_epoch, " + dialect.replicaAge() + " FROM store_state",
                        row -> new LogStatus(
                                meta.head,
                                Optional.ofNullable(row.getString(1)),
                                row.getLong(2),
                                meta.replica ? Optional.of(age(row)) : Optional.empty()))
                .orElseThrow(HeadRow::missing);
    }

    static boolean isPresent(Session session, Dialect dialect) throws SQLException {
        return session.first(dialect.hasTable(), row -> row.getInt(1) != 0, TABLE)
                .orElse(false);
    }

    static void quarantine(Session session, String reason) throws SQLException {
        session.update("UPDATE store_state SET quarantine = ?", reason);
        // A release that does not know the quarantine refuses to open the store.
        session.update("UPDATE store_meta SET needs = ?", Migrations.SCHEMA);
    }

    static void accept(Session session, long epoch) throws SQLException {
        session.update("UPDATE store_state SET quarantine = NULL, accepted_epoch = ?", epoch);
        session.update("UPDATE store_meta SET needs = ?", Migrations.OLDEST_READER);
    }

    static Optional<String> masterKey(Session session, Dialect dialect) throws SQLException {
        return isPresent(session, dialect)
                ? session.first("SELECT master_key FROM store_state", row -> Optional.ofNullable(row.getString(1)))
                        .flatMap(known -> known)
                : Optional.empty();
    }

    static void setMasterKey(Session session, String fingerprint) throws SQLException {
        session.update("UPDATE store_state SET master_key = ?", fingerprint);
    }

    private static Duration age(ResultSet row) throws SQLException {
        Duration age = Duration.of(row.getLong(3), ChronoUnit.MICROS);
        if (row.wasNull() || age.plus(CLOCK_TOLERANCE).isNegative() || age.compareTo(UNKNOWN_AGE) > 0) {
            return UNKNOWN_AGE;
        }
        return age.isNegative() ? Duration.ZERO : age;
    }
}
