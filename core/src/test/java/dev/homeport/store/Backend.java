package dev.homeport.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A place for one store, and a way to it behind the store's back. */
interface Backend extends AutoCloseable {
    SqlStore open(Opening opening);

    Connection raw() throws SQLException;

    /** Allows rows that foreign keys forbid. */
    String withoutForeignKeys();

    default SqlStore openWriter() {
        return open(Opening.writer(() -> "store-1").initialising());
    }

    default SqlStore openFollower() {
        return open(Opening.follower());
    }

    /** Statements run behind the store's back. */
    default void tamper(String... statements) {
        try (Connection connection = raw();
                Statement statement = connection.createStatement()) {
            statement.execute(withoutForeignKeys());
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void close();
}
