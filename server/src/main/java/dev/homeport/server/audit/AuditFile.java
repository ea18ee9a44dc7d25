package dev.homeport.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lines in a file that only the server's user can read. It may be moved away at any time: the next line goes into a new file of
 * the same name, and the position, which is kept apart, goes on.
 */
final class AuditFile implements AuditSink {
    private static final int LONGEST_LINE = 4 << 20;

    private final Path file;
    private final Path position;
    private final AuditLines lines;
    private @Nullable FileChannel channel;
    private @Nullable Object identity;

    /** @param position where it is kept how far the stream got */
    AuditFile(Path file, Path position, AuditLines lines) {
        this.file = file;
        this.position = position;
        this.lines = lines;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public AuditPosition resume() throws IOException {
        AuditPosition kept = AuditPosition.read(position).orElse(AuditPosition.START);
        FileChannel open = open();
        // A process that was killed may have written lines and not yet the position, or a part of a line.
        long end = open.size();
        long from = Math.max(0, end - 2L * LONGEST_LINE);
        ByteBuffer tail = ByteBuffer.allocate((int) (end - from));
        int read = 0;
        while (tail.hasRemaining() && read >= 0) {
            read = open.read(tail, from + tail.position());
        }
        byte[] bytes = tail.array();
        int last = lastNewline(bytes, bytes.length);
        if (last + 1 < bytes.length) {
            open.truncate(from + last + 1);
        }
        if (last < 0) {
            return kept;
        }
        int before = lastNewline(bytes, last);
        Optional<AuditLines.Checked> newest =
                lines.check(new String(bytes, before + 1, last - before - 1, StandardCharsets.UTF_8));
        return newest.filter(line -> line.sequence() > kept.sequence())
                .map(AuditLines.Checked::position)
                .orElse(kept);
    }

    private static int lastNewline(byte[] bytes, int before) {
        int at = before - 1;
        while (at >= 0 && bytes[at] != '\n') {
            at--;
        }
        return at;
    }

    @Override
    public void write(List<String> all, AuditPosition after) throws IOException {
        FileChannel open = open();
        long start = open.size();
        try {
            ByteBuffer bytes = ByteBuffer.wrap((String.join("\n", all) + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                open.write(bytes);
            }
            open.force(true);
        } catch (IOException e) {
            open.truncate(start); // a part of them, as on a full disk, would break the chain
            throw e;
        }
        after.write(position);
    }

    /** The file of this name, which may be another one than before. */
    private FileChannel open() throws IOException {
        FileChannel known = channel;
        if (known != null && known.isOpen() && Objects.equals(identity, identity())) {
            return known;
        }
        close();
        FileChannel opened = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        opened.position(opened.size());
        channel = opened;
        identity = identity();
        return opened;
    }

    private @Nullable Object identity() throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void close() {
        FileChannel known = channel;
        channel = null;
        if (known != null) {
            try {
                known.close();
            } catch (IOException e) {
                // the written lines are already on disk
            }
        }
    }
}
