package dev.homeport.bench.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the fleets of one kind of store live while they are measured, and afterwards if they are kept. */
final class FleetHome implements AutoCloseable {
    private final StoreKind kind;
    private final Path folder;
    private final boolean keep;
    private final Optional<PostgresServer> postgres;

    private FleetHome(StoreKind kind, Path folder, boolean keep, Optional<PostgresServer> postgres) {
        this.kind = kind;
        this.folder = folder;
        this.keep = keep;
        this.postgres = postgres;
    }

    static FleetHome of(StoreKind kind, CoreOptions options) throws IOException, SQLException {
        Path folder = options.data().resolve("core-" + kind + "-" + SampleFleet.VERSION);
        Files.createDirectories(folder);
        Optional<PostgresServer> server = kind == StoreKind.POSTGRES
                ? Optional.of(PostgresServer.start(folder.resolve("server")))
                : Optional.empty();
        return new FleetHome(kind, folder, options.keep(), server);
    }

    StoreKind kind() {
        return kind;
    }

    /** The store for a fleet of this size; whatever a build that did not finish has left there is gone. */
    StoreAddress address(int size) throws IOException, SQLException {
        String name = "fleet_" + size;
        if (!isBuilt(size)) {
            delete(folder.resolve(name));
            if (postgres.isPresent()) {
                postgres.get().drop(name);
            }
        }
        return store(name);
    }

    /** A store in which nothing has happened, to load everything that comes with the first store. */
    StoreAddress emptyStore() throws SQLException {
        return store("empty");
    }

    private StoreAddress store(String name) throws SQLException {
        return postgres.isPresent()
                ? postgres.get().database(name)
                : new StoreAddress(StoreKind.SQLITE, folder.resolve(name).toString());
    }

    boolean isBuilt(int size) {
        return Files.exists(mark(size));
    }

    void markBuilt(int size) throws IOException {
        Files.createFile(mark(size));
    }

    private Path mark(int size) {
        return folder.resolve("built-" + size);
    }

    @Override
    public void close() throws IOException {
        if (postgres.isPresent()) {
            postgres.get().close();
        }
        if (!keep) {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> paths = Files.walk(folder)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
