package dev.homeport.server.storage;

import dev.homeport.access.MasterKey;
import dev.homeport.change.Failpoint;
import dev.homeport.change.StoreRefused;
import dev.homeport.store.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * The master key in a file of its own, readable by the server's user alone. One key a line, newest first: hexadecimal digits,
 * and when it was made.
 */
public final class MasterKeyFile {
    public static final String NAME = "master.key";

    private final Path file;

    private record Line(byte[] key, Instant madeAt) {}

    private MasterKeyFile(Path file) {
        this.file = file;
    }

    public static MasterKeyFile in(Path directory) {
        return new MasterKeyFile(directory.resolve(NAME));
    }

    /** A key file under any name. */
    public static MasterKeyFile at(Path file) {
        return new MasterKeyFile(file);
    }

    public Path path() {
        return file;
    }

    public boolean exists() {
        return Files.exists(file);
    }

    /** Refuses where there is none: a key made here would fit no token of an existing store. */
    public MasterKey read() {
        if (!exists()) {
            throw new StoreRefused(
                    "the master key " + file + " is missing. Copy it from another server or from where it"
                            + " is kept beside the backups; if it is lost for good, `homeport admin rekey --lost` makes a new one,"
                            + " and every token has to be made again");
        }
        return new MasterKey(lines().stream().map(Line::key).toList());
    }

    /** Makes a key and puts it before those that are there. */
    public void addNew(Instant now) {
        byte[] key = new byte[MasterKey.BYTES];
        new SecureRandom().nextBytes(key);
        List<Line> all = new ArrayList<>();
        all.add(new Line(key, now));
        if (exists()) {
            all.addAll(lines());
        }
        write(all);
    }

    /** Takes over a key file that was kept elsewhere. */
    public void copyFrom(Path other) {
        write(new MasterKeyFile(other).lines());
    }

    /** A copy that only its owner can read, to be kept apart from backups. */
    public void copyTo(Path other) {
        new MasterKeyFile(other).write(lines());
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the master key " + file + " cannot be deleted", e);
        }
    }

    /** Leaves the newest alone. */
    public void forgetOlder() {
        write(List.of(lines().getFirst()));
    }

    public int count() {
        return lines().size();
    }

    /** What was hashed before is hashed under an older key. */
    public Instant newestMadeAt() {
        return lines().getFirst().madeAt();
    }

    private List<Line> lines() {
        try {
            List<Line> lines = Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .map(MasterKeyFile::parse)
                    .toList();
            if (lines.isEmpty()) {
                throw new StoreRefused("the master key " + file + " is empty; put it back from where it is kept");
            }
            return lines;
        } catch (IOException e) {
            throw new StoreRefused("the master key " + file + " cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new StoreRefused(
                    "the master key " + file + " is not one: each line has 64 hexadecimal digits and a time");
        }
    }

    private static Line parse(String line) {
        String[] words = line.strip().split(" ", 2);
        byte[] key = HexFormat.of().parseHex(words[0]);
        if (key.length < MasterKey.BYTES) {
            throw new IllegalArgumentException("too short");
        }
        return new Line(key, words.length == 1 ? Instant.EPOCH : Instant.parse(words[1]));
    }

    private void write(List<Line> lines) {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            PrivateFiles.createFolder(
                    Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder of the key"));
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(
                    next,
                    lines.stream()
                            .map(line -> HexFormat.of().formatHex(line.key) + " " + line.madeAt)
                            .toList(),
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC);
            Failpoint.REKEY_WRITTEN.reach();
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Failpoint.REKEY_REPLACED.reach();
        } catch (IOException e) {
            throw new UncheckedIOException("the master key " + file + " cannot be written", e);
        }
    }
}
