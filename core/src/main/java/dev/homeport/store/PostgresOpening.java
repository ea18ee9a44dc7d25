package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.sql.SQLException;
import java.util.Optional;

/** The question whether a PostgreSQL database holds a store, and its making. */
final class PostgresOpening {
    private static final Dialect DIALECT = new PostgresDialect();
    private static final Migrations MIGRATIONS =
            new Migrations("postgresql", Optional.of(PostgresSettings.SCHEMA), DIALECT);

    private final PostgresConnector connector;

    PostgresOpening(PostgresConnector connector) {
        this.connector = connector;
    }

    void prepare(Opening opening) {
        boolean present = ask(PostgresOpening::isPresent);
        if (!present && !(opening.writes() && opening.initialise())) {
            throw new StoreRefused(
                    "the database has no store in its schema " + PostgresSettings.SCHEMA
                            + ". Check that it is the right database and not one that lost its data; then ask for initialisation");
        }
        if (!present) {
            MIGRATIONS.create(connector.source(), opening);
        } else if (opening.writes()) {
            MIGRATIONS.update(connector.source());
        }
        ask(Migrations::requireKnown);
    }

    private static boolean isPresent(Session session) throws SQLException {
        return session.first("SELECT to_regclass('homeport.store_meta') IS NOT NULL", row -> row.getBoolean(1))
                .orElseThrow();
    }

    private <T> T ask(Database.Work<T> question) {
        try (Session session = connector.reader()) {
            return question.run(session);
        } catch (SQLException e) {
            throw Database.translate(e, DIALECT);
        }
    }
}
