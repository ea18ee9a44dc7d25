package dev.homeport.store;

import dev.homeport.observe.Witness;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** What each cluster said last about each object that it was asked about. */
final class WitnessRows {
    private static final Comparator<Witness> ORDER =
            Comparator.comparing(Witness::cluster).thenComparing(Witness::id);

    private WitnessRows() {}

    static void save(Session session, Collection<Witness> witnesses, Observer observer) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO witness (cluster, question, value, happened_at, resource_version, body_digest, received_at,
                    observer)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, question) DO UPDATE
                SET value = excluded.value, happened_at = excluded.happened_at,
                    resource_version = excluded.resource_version, body_digest = excluded.body_digest,
                    received_at = excluded.received_at, observer = excluded.observer
                WHERE (excluded.happened_at, excluded.resource_version, excluded.body_digest)
                    > (witness.happened_at, witness.resource_version, witness.body_digest)
                """);
        for (Witness witness : witnesses.stream().sorted(ORDER).toList()) {
            rows.add(
                    witness.cluster(),
                    witness.id(),
                    witness.value(),
                    MicroTime.floor(witness.at()),
                    witness.resourceVersion(),
                    witness.body(),
                    MicroTime.floor(witness.receivedAt()),
                    observer.name());
        }
        rows.flush();
    }

    static List<Witness> since(Session session, Instant time, String butBy) throws SQLException {
        return session.list("""
                SELECT cluster, question, value, happened_at, resource_version, body_digest, received_at
                FROM witness
                WHERE received_at >= ? AND observer <> ?
                """, WitnessRows::read, MicroTime.floor(time), butBy);
    }

    static void forget(Session session, Collection<String> clusters) throws SQLException {
        for (String cluster : clusters) {
            session.update("DELETE FROM witness WHERE cluster = ?", cluster);
        }
    }

    private static Witness read(ResultSet row) throws SQLException {
        return new Witness(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                MicroTime.of(row.getLong(4)),
                row.getLong(5),
                row.getString(6),
                MicroTime.of(row.getLong(7)));
    }
}
