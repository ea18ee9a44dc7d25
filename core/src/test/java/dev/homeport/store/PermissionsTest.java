package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only its owner can open a data folder or a file in it. */
class PermissionsTest {
    @TempDir
    private Path folder;

    @Test
    void aNewStoreIsItsOwnersAlone() throws IOException {
        Path data = folder.resolve("data");
        try (SqlStore store = open(data)) {
            put("a", "{}").on(store);
            HighWater.in(data).remember(store.head());
            ObservedStores.sqlite(data, Opening.Mode.WRITER, "me").close();
            assertThat(openToOthers(data)).isEmpty();
            assertThat(names(data)).contains("homeport.db", "homeport.db-wal", "observed.db", "store-id", "high-water");
        }
        assertThat(openToOthers(data)).isEmpty();
    }

    @Test
    void aStoreOfAnEarlierReleaseIsTightened() throws IOException {
        Path data = folder.resolve("data");
        open(data).close();
        HighWater.in(data).remember(new dev.homeport.change.Head("store-1", 1, 0, ""));
        for (String name : names(data)) {
            Files.setPosixFilePermissions(data.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));
        }
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        open(data).close();
        assertThat(openToOthers(data)).isEmpty();
    }

    @Test
    void aFolderThatHoldsNoStoreStaysAsItIs() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        PrivateFiles.tighten(folder);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwxr-xr-x");
    }

    private static SqlStore open(Path data) {
        return Stores.sqlite(data, Opening.writer(() -> "store-1"));
    }

    private static List<String> names(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static List<String> openToOthers(Path data) throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (!permissions.endsWith("------")) {
                    open.add(permissions + " " + file);
                }
            }
        }
        return open;
    }
}
