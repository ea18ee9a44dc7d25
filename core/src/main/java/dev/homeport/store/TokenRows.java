package dev.homeport.store;

import dev.homeport.observe.TokenUse;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** When tokens were last used. All processes write rows in the same order. */
final class TokenRows {
    private TokenRows() {}

    static void save(Session session, Dialect dialect, List<TokenUse> uses, Observer observer) throws SQLException {
        List<TokenUse> sorted =
                uses.stream().sorted(Comparator.comparing(TokenUse::token)).toList();
        put(session, dialect.writesAlone() ? notOwn(session, sorted, observer) : sorted, observer);
    }

    /** As for polls. */
    private static List<TokenUse> notOwn(Session session, List<TokenUse> uses, Observer observer) throws SQLException {
        Session.Batch own =
                session.batch("UPDATE token_used SET last_at = ? WHERE token = ? AND observer = ? AND last_at <= ?");
        for (TokenUse use : uses) {
            long at = MicroTime.floor(use.at());
            own.add(at, use.token(), observer.name(), at);
        }
        return own.withoutEffect(uses);
    }

    private static void put(Session session, List<TokenUse> uses, Observer observer) throws SQLException {
        Session.Batch rows = session.batch("""
                INSERT INTO token_used (token, last_at, observer)
                VALUES (?, ?, ?)
                ON CONFLICT (token) DO UPDATE
                SET last_at = excluded.last_at, observer = excluded.observer
                WHERE excluded.last_at > token_used.last_at
                """);
        for (TokenUse use : uses) {
            rows.add(use.token(), MicroTime.floor(use.at()), observer.name());
        }
        rows.flush();
    }

    static List<TokenUse> since(Session session, Dialect dialect, Instant time, String butBy) throws SQLException {
        return session.list(
                dialect.savedByOthers("token, last_at", "token_used"),
                row -> new TokenUse(row.getString(1), MicroTime.of(row.getLong(2))),
                MicroTime.floor(time),
                butBy);
    }
}
