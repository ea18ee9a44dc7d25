package dev.homeport.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that may hold tokens. */
public final class PrivateFile {
    private static final FileAttribute<Set<PosixFilePermission>> FILE = permissions("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER = permissions("rwx------");
    private static final int MOST_LINKS = 40;

    private PrivateFile() {}

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Whole or not at all, and for its owner alone. Where a link points elsewhere, it is written there and the link stays. */
    public static void write(Path file, CharSequence text) {
        try {
            Path target = followed(file.toAbsolutePath());
            Path next = Files.createTempFile(folderOf(target), String.valueOf(file.getFileName()), ".new", FILE);
            try {
                Files.writeString(next, text);
                Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written: " + FileTrouble.why(e), e);
        }
    }

    /** The folder of a file, created if it does not exist. */
    public static Path folderOf(Path file) throws IOException {
        return Files.createDirectories(file.toAbsolutePath().getParent(), FOLDER);
    }

    private static Path followed(Path file) throws IOException {
        Path target = file;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MOST_LINKS) {
                throw new IOException("its links lead nowhere");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }
}
