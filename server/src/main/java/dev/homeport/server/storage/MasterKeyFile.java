package dev.homeport.server.storage;

import dev.homeport.access.MasterKey;
import dev.homeport.change.Failpoint;
import dev.homeport.change.StoreRefused;
import dev.homeport.server.config.ServerSettings.KeyAccess;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The master key in a file of its own, readable by the server's user alone. One key a line, newest first: hexadecimal digits,
 * and when it was made.
 */
public final class MasterKeyFile {
    public static final String NAME = "master.key";

    private final Path file;
    private final KeyAccess access;

    /** What was read last: deriving a key from a passphrase takes half a second. */
    private @Nullable String seen;

    private List<Line> known = List.of();

    private record Line(byte[] key, Instant madeAt) {}

    private MasterKeyFile(Path file, KeyAccess access) {
        this.file = file;
        this.access = access;
    }

    public static MasterKeyFile in(Path directory) {
        return in(directory, KeyAccess.NONE);
    }

    /** @param access how to open a file that is wrapped, and how to wrap a new one */
    public static MasterKeyFile in(Path directory, KeyAccess access) {
        return new MasterKeyFile(directory.resolve(NAME), access);
    }

    /** A file of another place that is opened in the same way. */
    public MasterKeyFile elsewhere(Path other) {
        return new MasterKeyFile(other, access);
    }

    public boolean isWrapped() {
        return KeyWrapping.isWrapped(text());
    }

    /** Encrypts the file, in place of how it was encrypted before. */
    public void wrapWith(KeyAccess next) {
        replace(new KeyWrapping(file, next).wrap(plain(lines())));
    }

    /** Leaves the keys readable for every reader of the file. */
    public void unwrap() {
        replace(plain(lines()));
    }

    public Path path() {
        return file;
    }

    public boolean exists() {
        return Files.exists(file);
    }

    /** Fails without a file: a new key would not fit any token of an existing store. */
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
        MasterKeyFile given = new MasterKeyFile(other, access);
        given.lines(); // it must be usable here
        replace(given.text());
    }

    /** A copy that only its owner can read, to be kept apart from backups. */
    public void copyTo(Path other) {
        lines();
        new MasterKeyFile(other, access).replace(text());
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
        String text = text();
        if (text.equals(seen)) {
            return known;
        }
        try {
            String plain = KeyWrapping.isWrapped(text) ? new KeyWrapping(file, access).unwrap(text) : text;
            List<Line> lines = plain.lines()
                    .filter(line -> !line.isBlank())
                    .map(MasterKeyFile::parse)
                    .toList();
            if (lines.isEmpty()) {
                throw new StoreRefused("the master key " + file + " is empty; put it back from where it is kept");
            }
            seen = text;
            known = lines;
            return lines;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new StoreRefused(
                    "the master key " + file + " is not one: each line has 64 hexadecimal digits and a time");
        }
    }

    private String text() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new StoreRefused("the master key " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static String plain(List<Line> lines) {
        return lines.stream()
                .map(line -> HexFormat.of().formatHex(line.key) + " " + line.madeAt + "\n")
                .collect(Collectors.joining());
    }

    private static Line parse(String line) {
        String[] words = line.strip().split(" ", 2);
        byte[] key = HexFormat.of().parseHex(words[0]);
        if (key.length < MasterKey.BYTES) {
            throw new IllegalArgumentException("too short");
        }
        return new Line(key, words.length == 1 ? Instant.EPOCH : Instant.parse(words[1]));
    }

    /** As the file is wrapped now; a new one is wrapped when there is something to wrap it with. */
    private void write(List<Line> lines) {
        boolean wrap = exists() ? isWrapped() : KeyWrapping.isPossible(access);
        replace(wrap ? new KeyWrapping(file, access).wrap(plain(lines)) : plain(lines));
    }

    private void replace(String text) {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            PrivateFiles.createFolder(
                    Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder of the key"));
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(next, text, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
            Failpoint.REKEY_WRITTEN.reach();
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Failpoint.REKEY_REPLACED.reach();
        } catch (IOException e) {
            throw new UncheckedIOException("the master key " + file + " cannot be written", e);
        }
    }
}
