package dev.homeport.store;

import dev.homeport.observe.ObservedPoll;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Last polls. All processes write rows in the same order, so that two never deadlock. */
final class PollRows {
    private static final Comparator<ObservedPoll> ORDER =
            Comparator.comparing(ObservedPoll::cluster).thenComparing(ObservedPoll::type);

    /** Follows the client in its column, as one more product of its user agent: {@code flux-operator/v0.58.1 every/1m}. */
    private static final String EVERY = " every/";

    private PollRows() {}

    static void save(Session session, Dialect dialect, List<ObservedPoll> polls, Observer observer)
            throws SQLException {
        List<ObservedPoll> sorted = polls.stream().sorted(ORDER).toList();
        put(session, dialect.writesAlone() ? notOwn(session, sorted, observer) : sorted, observer);
    }

    /**
     * Saves what is in this process's own rows, as nearly all are, without a word of whose they are, which no index then
     * notices. Returns the others.
     */
    private static List<ObservedPoll> notOwn(Session session, List<ObservedPoll> polls, Observer observer)
            throws SQLException {
        Session.Batch own = session.batch("""
                UPDATE poll_seen
                SET last_at = ?,
                    digest_since = CASE WHEN digest = ? AND digest_since > 0 THEN digest_since ELSE ? END,
                    digest = ?, revision = ?, status = ?, shape = ?, operator_version = ?, address = ?
                WHERE cluster = ? AND type = ? AND observer = ? AND last_at <= ?
                """);
        for (ObservedPoll poll : polls) {
            long at = MicroTime.floor(poll.at());
            own.add(
                    at,
                    poll.digest(),
                    MicroTime.floor(poll.since()),
                    poll.digest(),
                    poll.revision(),
                    poll.status(),
                    poll.shape(),
                    clientAndInterval(poll),
                    poll.address(),
                    poll.cluster(),
                    poll.type(),
                    observer.name(),
                    at);
        }
        return own.withoutEffect(polls);
    }

    private static void put(Session session, List<ObservedPoll> polls, Observer observer) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO poll_seen (cluster, type, last_at, digest_since, digest, revision, status, shape,
                    operator_version, address, observer)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, type) DO UPDATE
                SET last_at = excluded.last_at,
                    digest_since = CASE WHEN excluded.digest = poll_seen.digest AND poll_seen.digest_since > 0
                        THEN poll_seen.digest_since ELSE excluded.digest_since END,
                    digest = excluded.digest, revision = excluded.revision,
                    status = excluded.status, shape = excluded.shape,
                    operator_version = excluded.operator_version, address = excluded.address,
                    observer = excluded.observer
                WHERE excluded.last_at >= poll_seen.last_at
                """);
        for (ObservedPoll poll : polls) {
            rows.add(
                    poll.cluster(),
                    poll.type(),
                    MicroTime.floor(poll.at()),
                    MicroTime.floor(poll.since()),
                    poll.digest(),
                    poll.revision(),
                    poll.status(),
                    poll.shape(),
                    clientAndInterval(poll),
                    poll.address(),
                    observer.name());
        }
        rows.flush();
    }

    static void saveServed(Session session, Set<String> clusters) throws SQLException {
        Session.Batch rows = session.batch("INSERT INTO served (cluster) VALUES (?) ON CONFLICT (cluster) DO NOTHING");
        for (String cluster : new TreeSet<>(clusters)) {
            rows.add(cluster);
        }
        rows.flush();
    }

    static boolean wasServed(Session session, String cluster) throws SQLException {
        return session.first("SELECT 1 FROM served WHERE cluster = ?", row -> true, cluster)
                .orElse(false);
    }

    static List<ObservedPoll> since(Session session, Dialect dialect, Instant time, String butBy) throws SQLException {
        String sql = dialect.savedByOthers(
                "cluster, type, last_at, digest_since, status, digest, revision, shape, operator_version, address",
                "poll_seen");
        return session.list(sql, PollRows::read, MicroTime.floor(time), butBy);
    }

    private static String clientAndInterval(ObservedPoll poll) {
        return poll.every().isEmpty() ? poll.client() : poll.client() + EVERY + poll.every();
    }

    private static ObservedPoll read(ResultSet row) throws SQLException {
        String client = row.getString(9);
        int every = client.lastIndexOf(EVERY);
        return new ObservedPoll(
                row.getString(1),
                row.getString(2),
                MicroTime.of(row.getLong(3)),
                MicroTime.of(row.getLong(4)),
                row.getInt(5),
                row.getString(6),
                row.getLong(7),
                row.getString(8),
                every < 0 ? client : client.substring(0, every),
                row.getString(10),
                every < 0 ? "" : client.substring(every + EVERY.length()));
    }
}
