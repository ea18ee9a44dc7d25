package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** Brings the tables up to date. The first migration also writes the store's id, so that no store is ever without. */
final class Migrations {
    /** What this code knows. A store whose {@code store_meta.needs} is higher was made by later code. */
    static final int SCHEMA = 2;

    /** What the oldest code that can work with these tables knows, so that the way back to it stays open. */
    static final int OLDEST_READER = 1;

    private static final String RESTORING =
            "a backup is being restored into it. Run `homeport admin restore` again if that was interrupted";

    private static final Pattern STORE_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final String folder;
    private final Optional<String> schema;
    private final Dialect dialect;

    Migrations(String folder, Optional<String> schema, Dialect dialect) {
        this.folder = folder;
        this.schema = schema;
        this.dialect = dialect;
    }

    void create(DataSource source, Opening opening) {
        String storeId = opening.newStoreId().get();
        if (!STORE_ID.matcher(storeId).matches()) {
            throw new IllegalArgumentException("a store's id consists of letters, digits and hyphens, not " + storeId);
        }
        migrate(source, storeId, opening.quarantined() ? RESTORING : "");
    }

    void update(DataSource source) {
        migrate(source, "", "");
    }

    /** The store's id, if the tables are ones that this code can work with. */
    static String requireKnown(Session session) throws SQLException {
        record Meta(String storeId, int needs) {}
        Meta meta = session.first(
                        "SELECT store_id, needs FROM store_meta", row -> new Meta(row.getString(1), row.getInt(2)))
                .orElseThrow(HeadRow::missing);
        if (meta.needs > SCHEMA) {
            throw new StoreRefused(later(meta.needs));
        }
        return meta.storeId;
    }

    static String later(int needs) {
        return "the store was changed by a later Homeport, which needs schema " + needs + "; this one knows " + SCHEMA
                + ". Start the later one";
    }

    private void migrate(DataSource source, String storeId, String quarantine) {
        FluentConfiguration configuration = Flyway.configure(Migrations.class.getClassLoader())
                .loggers(FlywayLog.class.getName())
                .locations("classpath:dev/homeport/store/" + folder)
                .placeholders(Map.of("store_id", storeId, "quarantine", quarantine))
                // A store is never seen half made, which would be without its quarantine.
                .group(true)
                .dataSource(source);
        schema.ifPresent(configuration::defaultSchema);
        try {
            configuration.load().migrate();
        } catch (FlywayException e) {
            throw translate(e);
        }
    }

    private RuntimeException translate(FlywayException error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Database.translate(sql, dialect);
            }
        }
        return new StoreRefused("the tables cannot be brought up to date: " + error.getMessage());
    }
}
