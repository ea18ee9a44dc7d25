package dev.homeport.store;

import dev.homeport.observe.Report;
import dev.homeport.observe.Verdict;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The newest report of each object and verdict. */
final class ReportRows {
    private static final Comparator<Report> ORDER =
            Comparator.comparing(Report::cluster).thenComparing(Report::object).thenComparing(Report::verdict);

    private ReportRows() {}

    static void save(Session session, Collection<Report> reports, Observer observer) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO report (cluster, object, verdict, subject, happened_at, resource_version, body_digest,
                    revision, answer_digest, item_digest, reason, message, received_at, observer)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, object, verdict) DO UPDATE
                SET subject = excluded.subject, happened_at = excluded.happened_at,
                    resource_version = excluded.resource_version, body_digest = excluded.body_digest,
                    revision = excluded.revision, answer_digest = excluded.answer_digest,
                    item_digest = excluded.item_digest, reason = excluded.reason, message = excluded.message,
                    received_at = excluded.received_at, observer = excluded.observer
                WHERE (excluded.happened_at, excluded.resource_version, excluded.body_digest)
                    > (report.happened_at, report.resource_version, report.body_digest)
                """);
        for (Report report : reports.stream().sorted(ORDER).toList()) {
            rows.add(
                    report.cluster(),
                    report.object(),
                    report.verdict().name(),
                    report.subject(),
                    MicroTime.floor(report.at()),
                    report.resourceVersion(),
                    report.body(),
                    report.revision(),
                    report.answer(),
                    report.item(),
                    report.reason(),
                    report.message(),
                    MicroTime.floor(report.receivedAt()),
                    observer.name());
        }
        rows.flush();
    }

    static List<Report> since(Session session, Instant time, String butBy) throws SQLException {
        return session.list("""
                SELECT cluster, subject, object, verdict, happened_at, resource_version, body_digest, revision,
                    answer_digest, item_digest, reason, message, received_at
                FROM report
                WHERE received_at >= ? AND observer <> ?
                """, ReportRows::read, MicroTime.floor(time), butBy);
    }

    static void forget(Session session, Collection<String> clusters) throws SQLException {
        for (String cluster : clusters) {
            session.update("DELETE FROM report WHERE cluster = ?", cluster);
        }
    }

    private static Report read(ResultSet row) throws SQLException {
        return new Report(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Verdict.valueOf(row.getString(4)),
                MicroTime.of(row.getLong(5)),
                row.getLong(6),
                row.getString(7),
                row.getString(8),
                row.getString(9),
                row.getString(10),
                row.getString(11),
                row.getString(12),
                MicroTime.of(row.getLong(13)));
    }
}
