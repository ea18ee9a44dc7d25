package dev.homeport.store;

import static dev.homeport.store.Edit.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Head;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a power cut or a bad disk leaves of the write-ahead log: a beginning of our log, or a refusal, never something else. */
class TornWalTest {
    private static final int COMMITS = 40;

    private final Random random = new Random(20261115);
    private final List<Head> heads = new ArrayList<>();

    /** The files of a store that was never closed, with all of its log still in the WAL. */
    private Path crashed(Path folder) throws IOException {
        Path image = Files.createDirectory(folder.resolve("image"));
        try (SqliteBackend backend = SqliteBackend.fresh();
                SqlStore store = backend.openWriter()) {
            heads.add(store.head());
            for (int i = 1; i <= COMMITS; i++) {
                put("c" + i % 7, "{\"text\":\"" + "x".repeat(random.nextInt(3_000)) + i + "\"}")
                        .on(store);
                heads.add(store.head());
            }
            copy(backend.directory(), image);
        }
        HighWater.in(image).remember(heads.getLast());
        return image;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (!file.getFileName().toString().endsWith("-shm")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }

    @Test
    void aDamagedWalIsABeginningOfTheLogOrRefused(@TempDir Path folder) throws IOException {
        Path image = crashed(folder);
        int whole = 0;
        int shorter = 0;
        int refused = 0;
        for (int trial = 0; trial < 60; trial++) {
            Path damaged = folder.resolve("trial-" + trial);
            copy(image, damaged);
            damage(damaged.resolve(SqliteDirectory.DATABASE + "-wal"), trial);
            try (SqlStore store = Stores.sqlite(damaged, Opening.writer(() -> "another"))) {
                Head head = store.head();
                assertThat(heads).contains(head);
                assertThat(store.verify(revision -> {}).commits()).isEqualTo(head.revision());
                LogFollower follower =
                        LogFollower.open(store, HighWater.in(damaged), System::nanoTime, BuiltInTypes.catalog());
                if (head.equals(heads.getLast())) {
                    assertThat(follower.state()).isInstanceOf(FollowerState.Following.class);
                    whole++;
                } else {
                    // Commits that clusters may have been given are lost: nothing is served until an operator accepts
                    // that.
                    assertThat(follower.state()).isInstanceOf(FollowerState.Quarantined.class);
                    shorter++;
                }
            } catch (StoreRefused | StoreCorrupt | StoreUnavailable e) {
                refused++;
            }
        }
        assertThat(shorter).as("%d whole, %d refused", whole, refused).isGreaterThan(20);
        assertThat(whole).isPositive();
    }

    private void damage(Path wal, int trial) throws IOException {
        byte[] bytes = Files.readAllBytes(wal);
        assertThat(bytes.length).isGreaterThan(100_000);
        int at = random.nextInt(bytes.length);
        switch (trial % 4) {
            case 0 -> bytes = Arrays.copyOf(bytes, at);
            case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 4096), (byte) 0);
            default -> {} // a crash alone
        }
        Files.write(wal, bytes);
    }
}
