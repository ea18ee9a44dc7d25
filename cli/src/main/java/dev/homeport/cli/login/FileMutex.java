package dev.homeport.cli.login;

import dev.homeport.api.FileTrouble;
import dev.homeport.api.PrivateFile;
import dev.homeport.cli.terminal.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** A lock between the commands that run on this machine. It is reentrant. */
public final class FileMutex implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration BETWEEN = Duration.ofMillis(20);

    /** A lock of a file is a whole process's; within one, this is. */
    private static final ReentrantLock HERE = new ReentrantLock();

    private final Optional<FileChannel> channel;

    private FileMutex(Optional<FileChannel> channel) {
        this.channel = channel;
    }

    public static FileMutex take(Path lock) {
        HERE.lock();
        boolean taken = false;
        try {
            FileMutex mutex = new FileMutex(HERE.getHoldCount() > 1 ? Optional.empty() : Optional.of(locked(lock)));
            taken = true;
            return mutex;
        } catch (IOException e) {
            throw new UncheckedIOException(lock + " cannot be used: " + FileTrouble.why(e), e);
        } finally {
            if (!taken) {
                HERE.unlock();
            }
        }
    }

    private static FileChannel locked(Path lock) throws IOException {
        PrivateFile.folderOf(lock);
        // Every user who can open the file could block us.
        FileChannel channel = FileChannel.open(
                lock,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        long end = System.nanoTime() + LONGEST.toNanos();
        // A process that is suspended while it holds the lock would block all others forever.
        while (System.nanoTime() < end) {
            FileLock got = channel.tryLock();
            if (got != null) {
                return channel;
            }
            if (!Pause.of(BETWEEN)) {
                break;
            }
        }
        channel.close();
        throw new IOException("another command has held it for " + LONGEST.toSeconds() + " s");
    }

    @Override
    public void close() {
        try {
            if (channel.isPresent()) {
                channel.get().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            HERE.unlock();
        }
    }
}
