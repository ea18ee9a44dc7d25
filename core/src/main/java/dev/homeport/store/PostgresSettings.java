package dev.homeport.store;

/** Where a PostgreSQL store is. Homeport's tables are in a schema of their own there. */
public record PostgresSettings(String jdbcUrl, String user, String password) {
    static final String SCHEMA = "homeport";

    /** Without the password. */
    @Override
    public String toString() {
        return user + " at " + jdbcUrl;
    }
}
