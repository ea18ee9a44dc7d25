package dev.homeport.server.storage;

import dev.homeport.observe.Observations;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.store.ObservedStores;
import dev.homeport.store.Opening;
import dev.homeport.store.PrivateFiles;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Where the settings say that everything is.
 *
 * @param data the folder of the master key and the high-water mark, and of the embedded store
 */
public record Storage(ServerSettings.Store kind, Path data) implements AutoCloseable {

    /** A throw-away store gets a folder of its own, which {@link #close} deletes. */
    public static Storage of(ServerSettings settings) {
        if (!(settings.store() instanceof ServerSettings.Store.Memory)) {
            return new Storage(settings.store(), settings.data());
        }
        try {
            return new Storage(settings.store(), Files.createTempDirectory("homeport-memory"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Opening writer() {
        return Opening.writer(() -> UUID.randomUUID().toString());
    }

    /** Why an attacker on the way to the database could read or change what is stored. */
    public static Optional<String> weakness(ServerSettings settings) {
        return settings.store() instanceof ServerSettings.Store.Postgres postgres
                ? PostgresUrl.parse(postgres.url()).weakness()
                : Optional.empty();
    }

    public SqlStore open(Opening opening) {
        return switch (kind) {
            case ServerSettings.Store.Embedded _, ServerSettings.Store.Memory _ -> Stores.sqlite(data, opening);
            case ServerSettings.Store.Postgres postgres -> {
                PrivateFiles.tighten(data);
                yield Stores.postgres(PostgresUrl.parse(postgres.url()).settings(), opening);
            }
        };
    }

    public Observations observed(Opening.Mode mode) {
        return switch (kind) {
            case ServerSettings.Store.Embedded _, ServerSettings.Store.Memory _ ->
                ObservedStores.sqlite(data, mode, UUID.randomUUID().toString());
            case ServerSettings.Store.Postgres postgres ->
                ObservedStores.postgres(
                        PostgresUrl.parse(postgres.url()).settings(),
                        mode,
                        UUID.randomUUID().toString());
        };
    }

    @Override
    public void close() {
        if (!(kind instanceof ServerSettings.Store.Memory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
