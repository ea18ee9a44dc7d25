package dev.homeport.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A connection with the statements prepared on it. One thread at a time; one open result per text of SQL. */
final class Session implements AutoCloseable {
    private static final int SCAN_ROWS = 5_000;

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Session(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /** Runs a command that takes no values, such as a pragma. */
    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    int update(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = bound(sql, values).executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        }
    }

    <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values) throws SQLException {
        List<T> result = new ArrayList<>();
        try (ResultSet rows = bound(sql, values).executeQuery()) {
            while (rows.next()) {
                result.add(reader.read(rows));
            }
        }
        return result;
    }

    void each(String sql, RowVisitor visitor, @Nullable Object... values) throws SQLException {
        try (ResultSet rows = bound(sql, values).executeQuery()) {
            while (rows.next()) {
                visitor.visit(rows);
            }
        }
    }

    Batch batch(String sql) throws SQLException {
        PreparedStatement statement = statement(sql);
        statement.clearBatch(); // a transaction that failed may have left rows
        return new Batch(statement);
    }

    /** For results that do not fit into memory. The caller closes it. */
    PreparedStatement scan(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setFetchSize(SCAN_ROWS);
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private PreparedStatement bound(String sql, @Nullable Object[] values) throws SQLException {
        PreparedStatement statement = statement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private PreparedStatement statement(String sql) throws SQLException {
        PreparedStatement known = prepared.get(sql);
        if (known == null) {
            known = connection.prepareStatement(sql);
            prepared.put(sql, known);
        }
        return known;
    }

    /** Makes a value of the current row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Uses the current row. */
    @FunctionalInterface
    interface RowVisitor {
        void visit(ResultSet row) throws SQLException;
    }

    /** Rows that go to the database together. */
    static final class Batch {
        private final PreparedStatement statement;
        private int size;

        private Batch(PreparedStatement statement) {
            this.statement = statement;
        }

        void add(@Nullable Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.addBatch();
            size++;
        }

        void flush() throws SQLException {
            changed();
        }

        /** Sends what was added, and returns those of the rows, one for each that was added, for which nothing changed. */
        <T> List<T> withoutEffect(List<T> added) throws SQLException {
            int[] changed = changed();
            return IntStream.range(0, changed.length)
                    .filter(i -> changed[i] == 0)
                    .mapToObj(added::get)
                    .toList();
        }

        private int[] changed() throws SQLException {
            if (size == 0) {
                return new int[0];
            }
            size = 0;
            return statement.executeBatch();
        }
    }
}
