package dev.homeport.server;

import dev.homeport.access.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The master key in a file of its own, readable by the server's user alone. */
final class MasterKeyFile {
    private static final String NAME = "master.key";

    private MasterKeyFile() {}

    /** Reads the key, or makes one where there is none. */
    static MasterKey in(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(directory);
                byte[] fresh = new byte[MasterKey.BYTES];
                new SecureRandom().nextBytes(fresh);
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, HexFormat.of().formatHex(fresh) + "\n", StandardOpenOption.WRITE);
            }
            return new MasterKey(HexFormat.of().parseHex(Files.readString(file).strip()));
        } catch (IOException e) {
            throw new UncheckedIOException("the master key " + file + " cannot be read", e);
        }
    }
}
