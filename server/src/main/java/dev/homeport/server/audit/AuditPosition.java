package dev.homeport.server.audit;

import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * How far a stream of audit lines got.
 *
 * @param sequence of the last line
 * @param hash of the last line, which the next one repeats
 * @param epoch of the last commit that was forwarded
 * @param revision of the last commit that was forwarded
 */
record AuditPosition(long sequence, String hash, long epoch, long revision) {
    static final AuditPosition START = new AuditPosition(0, "", 0, 0);

    static Optional<AuditPosition> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(Files.readAllBytes(file)));
        } catch (RuntimeException e) {
            throw new IOException(file + " is damaged; remove it and the stream begins again from the first commit", e);
        }
    }

    static AuditPosition parse(byte[] text) {
        JsonNode json = StrictJson.read(text);
        return new AuditPosition(
                json.path("sequence").longValue(),
                json.path("hash").stringValue(),
                json.path("epoch").longValue(),
                json.path("revision").longValue());
    }

    /** On one line. */
    String text() {
        return CanonicalJson.text(StrictJson.object()
                .put("sequence", sequence)
                .put("hash", hash)
                .put("epoch", epoch)
                .put("revision", revision));
    }

    void write(Path file) throws IOException {
        replace(file, text().getBytes(StandardCharsets.UTF_8));
    }

    /** Readable by the server's user alone, and whole or not at all. */
    static void replace(Path file, byte[] content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(next, content, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
