package dev.homeport.store;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitQuery;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds commits. The text of the SQL depends on which parts a query has, and never on their values. */
final class CommitSearch {
    private final StringBuilder where = new StringBuilder("commits.revision < ?");
    private final List<@Nullable Object> values = new ArrayList<>();

    private CommitSearch() {}

    static List<Commit> search(Session session, CommitQuery query) throws SQLException {
        CommitSearch search = new CommitSearch();
        search.values.add(query.below());
        search.add(query);
        search.values.add(query.limit());
        return session.list("""
                SELECT revision, epoch, time, actor, reason, request_id, idempotency_key,
                       marks, change_count, previous_hash, hash
                FROM commits
                WHERE %s
                ORDER BY revision DESC
                LIMIT ?
                """.formatted(search.where), CommitRows::read, search.values.toArray());
    }

    private void add(CommitQuery query) {
        query.actor().ifPresent(actor -> and("actor = ?", actor));
        query.since().ifPresent(time -> and("time >= ?", MicroTime.floor(time.plusNanos(999))));
        query.until().ifPresent(time -> and("time < ?", MicroTime.floor(time.plusNanos(999))));
        if (!query.types().isEmpty() || query.id().isPresent()) {
            addChange(query);
        }
        query.cluster().ifPresent(this::addCluster);
        query.text().ifPresent(this::addText);
    }

    private void addChange(CommitQuery query) {
        where.append(" AND EXISTS (SELECT 1 FROM changes WHERE changes.revision = commits.revision");
        if (!query.types().isEmpty()) {
            where.append(" AND changes.type IN (")
                    .append(String.join(", ", Collections.nCopies(query.types().size(), "?")))
                    .append(")");
            values.addAll(query.types());
        }
        query.id().ifPresent(id -> and("changes.id = ?", id));
        where.append(")");
    }

    /** Its own documents, or any of a type whose documents clusters share. */
    private void addCluster(String cluster) {
        where.append(" AND (EXISTS (SELECT 1 FROM changes WHERE changes.revision = commits.revision")
                .append(" AND changes.type IN ('cluster', 'cluster_life') AND changes.id = ?)")
                .append(" OR EXISTS (SELECT 1 FROM changes WHERE changes.revision = commits.revision")
                .append(" AND changes.type NOT IN ('cluster', 'cluster_life', 'token', 'freeze',")
                .append(" 'access_role', 'access_grant')))");
        values.add(cluster);
    }

    private void addText(String text) {
        String pattern = "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
        where.append(" AND (lower(reason) LIKE ? ESCAPE '!' OR lower(actor) LIKE ? ESCAPE '!'")
                .append(" OR EXISTS (SELECT 1 FROM changes WHERE changes.revision = commits.revision")
                .append(" AND lower(changes.id) LIKE ? ESCAPE '!'))");
        Collections.addAll(values, pattern, pattern, pattern);
    }

    private void and(String condition, Object value) {
        where.append(" AND ").append(condition);
        values.add(value);
    }
}
