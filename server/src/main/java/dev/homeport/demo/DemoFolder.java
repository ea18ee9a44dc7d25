package dev.homeport.demo;

import dev.homeport.api.PrivateFile;
import dev.homeport.store.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a demo keeps what it needs to go on the next time. */
record DemoFolder(Path root) {
    /** In the folder for users' data, in a subfolder of its own that can be deleted. */
    static DemoFolder standard(Map<String, String> variables, Path home) {
        String data = variables.getOrDefault("XDG_DATA_HOME", "");
        Path base = data.isEmpty() ? home.resolve(".local/share") : Path.of(data);
        return new DemoFolder(base.resolve("homeport").resolve("demo"));
    }

    /**
     * What a demo was made with.
     *
     * @param poll seconds between polls
     */
    record Size(int clusters, int poll) {}

    Path data() {
        return root.resolve("data");
    }

    Path identities() {
        return root.resolve("clusters.jsonl");
    }

    Path adminToken() {
        return root.resolve("admin.token");
    }

    Path log() {
        return root.resolve("demo.log");
    }

    Path order() {
        return root.resolve("order");
    }

    Path reply() {
        return root.resolve("reply");
    }

    private Path sizeFile() {
        return root.resolve("demo.json");
    }

    private Path lock() {
        return root.resolve("lock");
    }

    private Path running() {
        return root.resolve("running");
    }

    /** Written last: a demo whose creation was interrupted has none and is created again. */
    Optional<Size> size() {
        if (!Files.exists(sizeFile())) {
            return Optional.empty();
        }
        try {
            JsonNode size = JsonMapper.shared().readTree(text(sizeFile()));
            Size read =
                    new Size(size.path("clusters").asInt(0), size.path("poll").asInt(0));
            if (read.clusters() > 0 && read.poll() > 0) {
                return Optional.of(read);
            }
        } catch (JacksonException e) {
            // Said below.
        }
        throw new IllegalStateException(sizeFile() + " is not as a demo writes it");
    }

    /** Whether there is all that a demo needs to go on; a server would begin with an empty store where one is missing. */
    void complete() {
        for (Path file : new Path[] {identities(), adminToken(), data().resolve("homeport.db")}) {
            if (!Files.exists(file)) {
                throw new IllegalStateException(file + " is missing");
            }
        }
    }

    void write(Size size) {
        PrivateFile.write(
                sizeFile(),
                JsonMapper.shared()
                        .createObjectNode()
                        .put("clusters", size.clusters())
                        .put("poll", size.poll())
                        .toString());
    }

    /** The process that makes or runs this demo now, if one does: it holds the lock, and its number is in a file. */
    Optional<String> runningProcess() {
        if (!Files.exists(lock())) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(lock(), StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            return free == null ? Optional.of(holder()) : Optional.empty();
        } catch (OverlappingFileLockException e) {
            return Optional.empty(); // It is this process.
        } catch (IOException e) {
            throw new UncheckedIOException(lock() + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private String holder() {
        return Files.exists(running()) ? text(running()).strip() : "that has only begun";
    }

    /** Makes the folder this process's own until the lock is closed or the process ends; nothing when another was quicker. */
    Optional<FileLock> seize() throws IOException {
        PrivateFiles.createFolder(root);
        return Optional.ofNullable(FileChannel.open(lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .tryLock());
    }

    void began() {
        PrivateFile.write(running(), Long.toString(ProcessHandle.current().pid()));
    }

    void ended() {
        delete(running());
        delete(order());
    }

    /** Only files that a demo has written, so that a folder given by mistake loses nothing. */
    void clear() {
        for (Path file : new Path[] {sizeFile(), running(), order(), reply(), identities(), adminToken()}) {
            delete(file);
        }
        if (Files.exists(data().resolve("master.key")) || Files.exists(data().resolve("store-id"))) {
            try (Stream<Path> files = Files.walk(data())) {
                files.sorted(Comparator.reverseOrder()).forEach(DemoFolder::delete);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
