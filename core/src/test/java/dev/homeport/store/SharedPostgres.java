package dev.homeport.store;

import java.util.function.Supplier;

/** A PostgreSQL database of its own for tests of other packages, opened as often as there are servers. */
public final class SharedPostgres implements AutoCloseable {
    private final PostgresBackend backend = PostgresBackend.fresh();

    public Supplier<SqlStore> servers() {
        return backend::openWriter;
    }

    @Override
    public void close() {
        backend.close();
    }
}
