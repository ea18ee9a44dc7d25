package dev.homeport.store;

import dev.homeport.change.Head;
import dev.homeport.change.HighWaterMark;
import dev.homeport.change.StoreRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The highest head that a process has seen, in a file, so that a database which went backwards is noticed after a restart
 * too. It is replaced as a whole and not forced to disk: after a power cut an older one may be there, which is safe.
 */
public final class HighWater implements HighWaterMark {
    static final String NAME = "high-water";

    private static final String FORMAT = "homeport-high-water-1";

    private final Path file;
    private final Path next;

    private HighWater(Path directory) {
        this.file = directory.resolve(NAME);
        this.next = directory.resolve(NAME + "." + ProcessHandle.current().pid() + ".tmp");
    }

    public static HighWater in(Path directory) {
        return new HighWater(directory);
    }

    @Override
    public synchronized Optional<Head> read() {
        try {
            String text = Files.readString(file);
            // A file cut to nothing is what a power cut may leave.
            return text.isEmpty() ? Optional.empty() : Optional.of(parse(text));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void remember(Head head) {
        String text = String.join(
                " ", FORMAT, head.storeId(), Long.toString(head.epoch()), Long.toString(head.revision()), head.hash());
        try {
            PrivateFiles.write(next, text + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Head parse(String text) {
        String[] words = text.strip().split(" ", -1);
        if (words.length != 5 || !words[0].equals(FORMAT)) {
            throw unreadable();
        }
        try {
            return new Head(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), words[4]);
        } catch (NumberFormatException e) {
            throw unreadable();
        }
    }

    private StoreRefused unreadable() {
        return new StoreRefused(
                file + " cannot be read. Compare the store's head with another server's, then delete the file");
    }
}
