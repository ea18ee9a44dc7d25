package dev.homeport.store;

import dev.homeport.observe.GivenAnswer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The last answer that each cluster was given. */
final class GivenRows {
    private static final Comparator<GivenAnswer> ORDER = Comparator.comparing(GivenAnswer::cluster)
            .thenComparing(GivenAnswer::type)
            .thenComparing(GivenAnswer::at);

    private static final String COLUMNS = "cluster, type, shape, digest, at, begun, items, earlier, from_backup";

    private GivenRows() {}

    /**
     * A newer one stays, and what was seen here counts more than what a backup has. Of 32 digests before it the first 12
     * characters are kept.
     */
    static void save(Session session, Collection<GivenAnswer> answers) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO given_answer (cluster, type, shape, digest, at, begun, items, earlier, from_backup)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, type) DO UPDATE
                SET shape = excluded.shape,
                    at = CASE WHEN excluded.digest = given_answer.digest THEN given_answer.at ELSE excluded.at END,
                    begun = CASE WHEN excluded.begun < given_answer.begun
                        THEN excluded.begun ELSE given_answer.begun END,
                    items = CASE WHEN excluded.digest = given_answer.digest
                        THEN coalesce(excluded.items, given_answer.items) ELSE excluded.items END,
                    earlier = CASE WHEN excluded.digest = given_answer.digest THEN given_answer.earlier
                        ELSE substr(substr(given_answer.digest, 1, 12) || ' ' || given_answer.earlier, 1, 416) END,
                    from_backup = CASE WHEN excluded.digest = given_answer.digest AND given_answer.from_backup = 0
                        THEN 0 ELSE excluded.from_backup END,
                    digest = excluded.digest
                WHERE excluded.at >= given_answer.at
                """);
        GivenAnswer before = null;
        for (GivenAnswer answer : answers.stream().sorted(ORDER).toList()) {
            if (before != null
                    && answer.cluster().equals(before.cluster())
                    && answer.type().equals(before.type())) {
                rows.flush(); // one statement must not meet the same row twice
            }
            rows.add(
                    answer.cluster(),
                    answer.type(),
                    answer.shape(),
                    answer.digest(),
                    MicroTime.floor(answer.at()),
                    MicroTime.floor(answer.begun()),
                    answer.items().map(GivenAnswer.Items::text).orElse(null),
                    String.join(" ", answer.earlier()),
                    answer.fromBackup() ? 1 : 0);
            before = answer;
        }
        rows.flush();
    }

    static List<GivenAnswer> all(Session session) throws SQLException {
        return session.list("SELECT " + COLUMNS + " FROM given_answer ORDER BY cluster, type", GivenRows::read);
    }

    static List<GivenAnswer> of(Session session, String cluster) throws SQLException {
        return session.list(
                "SELECT " + COLUMNS + " FROM given_answer WHERE cluster = ? ORDER BY type", GivenRows::read, cluster);
    }

    private static GivenAnswer read(ResultSet row) throws SQLException {
        return new GivenAnswer(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                MicroTime.of(row.getLong(5)),
                MicroTime.of(row.getLong(6)),
                Optional.ofNullable(row.getString(7)).map(GivenAnswer.Items::parse),
                Arrays.stream(row.getString(8).split(" ", -1))
                        .filter(word -> word.length() == GivenAnswer.BEGINNING)
                        .toList(),
                row.getInt(9) != 0);
    }
}
