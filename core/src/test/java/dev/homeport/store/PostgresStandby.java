package dev.homeport.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Stream;

/** Makes a hot standby of a running server, by what pg_basebackup does. */
final class PostgresStandby {
    private static final Set<String> OF_THE_PRIMARY = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    private PostgresStandby() {}

    static EmbeddedPostgres of(EmbeddedPostgres primary, Path data, Path copy) throws Exception {
        try (Connection connection = primary.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            copy(data, copy);
            try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                Files.writeString(copy.resolve("backup_label"), row.getString(1));
            }
        }
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + primary.getPort() + " user=postgres password=postgres'\n",
                StandardOpenOption.APPEND);
        return EmbeddedPostgres.builder()
                .setDataDirectory(copy)
                .setCleanDataDirectory(false)
                .start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (OF_THE_PRIMARY.contains(file.getFileName().toString())) {
                    continue;
                }
                if (Files.isDirectory(file)) {
                    Files.createDirectories(
                            target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                } else {
                    copyFile(file, target);
                }
            }
        }
    }

    /** A file of a running server may go away meanwhile; the WAL makes up for it. */
    private static void copyFile(Path file, Path target) throws IOException {
        try {
            Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
        } catch (NoSuchFileException e) {
            Files.deleteIfExists(target);
        }
    }
}
