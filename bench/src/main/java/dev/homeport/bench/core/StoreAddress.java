package dev.homeport.bench.core;

import dev.homeport.store.Opening;
import dev.homeport.store.PostgresSettings;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Where a store is, in a form that can be handed to another process: a directory, or a JDBC URL. */
record StoreAddress(StoreKind kind, String location) {
    SqlStore open() {
        Opening opening = Opening.writer(() -> "bench").initialising();
        return switch (kind) {
            case SQLITE -> Stores.sqlite(Path.of(location), opening);
            case POSTGRES ->
                Stores.postgres(new PostgresSettings(location, PostgresServer.USER, PostgresServer.PASSWORD), opening);
        };
    }

    List<String> words() {
        return List.of(kind.toString(), location);
    }

    static StoreAddress of(String kind, String location) {
        return new StoreAddress(StoreKind.valueOf(kind.toUpperCase(Locale.ROOT)), location);
    }
}
