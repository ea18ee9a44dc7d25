package dev.homeport.store;

import dev.homeport.change.StoreRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One writing process per directory. The operating system drops the lock when the process ends, however it ends. */
final class DirectoryLock {
    static final String NAME = "writer.lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) {
        try {
            PrivateFiles.createFile(directory.resolve(NAME));
            FileChannel channel =
                    FileChannel.open(directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locks(channel)) {
                channel.close();
                throw new StoreRefused("another process writes to " + directory
                        + "; stop it, or use another directory, or open this one as a follower");
            }
            return new DirectoryLock(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void release() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean locks(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this very process
        }
    }
}
