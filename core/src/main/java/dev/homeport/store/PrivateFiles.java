package dev.homeport.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files and folders that only their owner can read: they hold the log and the observations. */
public final class PrivateFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);

    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    /** What makes a folder a data folder of ours, and not, say, a home directory. */
    private static final List<String> OURS = List.of(SqliteDirectory.STORE_ID, HighWater.NAME, "master.key");

    private PrivateFiles() {}

    /** Makes a folder and those above it that are missing. One that is there stays as it is. */
    public static void createFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, attribute(FOLDER));
        }
    }

    /** Makes an empty file, unless there is one. */
    public static void createFile(Path file) throws IOException {
        try {
            Files.createFile(file, attribute(FILE));
        } catch (FileAlreadyExistsException e) {
            LOG.trace("{} is there", file);
        }
    }

    /** Writes a file that only its owner can open, from the start. An existing file is replaced together with its permissions. */
    public static void write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attribute(FILE))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Takes permissions of others away from a data folder and its files, which an earlier release gave. */
    public static void tighten(Path folder) {
        if (!Files.isDirectory(folder) || OURS.stream().noneMatch(name -> Files.exists(folder.resolve(name)))) {
            return;
        }
        try (var files =
                Files.newDirectoryStream(folder, "{homeport.db,observed.db,store-id,high-water,writer.lock}*")) {
            for (Path file : files) {
                tighten(file, FILE);
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("it cannot be seen who can open the files in {}: {}", folder, e.getMessage());
        }
        tighten(folder, FOLDER);
    }

    private static void tighten(Path path, Set<PosixFilePermission> wanted) {
        try {
            if (!wanted.containsAll(Files.getPosixFilePermissions(path))) {
                Files.setPosixFilePermissions(path, wanted);
            }
        } catch (IOException e) {
            // A volume may have another owner; the server works all the same.
            LOG.warn("other users of this machine can open {}, and that cannot be changed: {}", path, e.getMessage());
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> attribute(Set<PosixFilePermission> permissions) {
        return PosixFilePermissions.asFileAttribute(permissions);
    }
}
