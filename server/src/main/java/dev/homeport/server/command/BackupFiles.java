package dev.homeport.server.command;

import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import dev.homeport.observe.GivenAnswer;
import dev.homeport.store.BackupAnswers;
import dev.homeport.store.BackupHeader;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/** Backups as compressed files. */
final class BackupFiles {
    private BackupFiles() {}

    /** On disk when this returns. */
    static Head write(SqlStore store, List<GivenAnswer> given, Path file, LongConsumer progress) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(
                file, options, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            GZIPOutputStream zip = new GZIPOutputStream(Channels.newOutputStream(channel), 1 << 16);
            Writer out = new BufferedWriter(new OutputStreamWriter(zip, StandardCharsets.UTF_8), 1 << 16);
            Head head = store.backup(out, progress);
            BackupAnswers.write(out, given);
            out.flush();
            zip.finish();
            channel.force(true);
            return head;
        }
    }

    static BufferedReader open(Path file) throws IOException {
        try {
            return reader(file);
        } catch (ZipException e) {
            throw new StoreRefused(file + " is not a backup: " + e.getMessage());
        }
    }

    private static BufferedReader reader(Path file) throws IOException {
        return new BufferedReader(new InputStreamReader(
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file)), 1 << 16),
                StandardCharsets.UTF_8));
    }

    static BackupHeader header(Path file) throws IOException {
        try (BufferedReader in = open(file)) {
            return Stores.headerOfBackup(in);
        }
    }

    /** A backup restored to a temporary place, which is the only proof that it can be restored. */
    static final class Trial implements AutoCloseable {
        private final Path folder;
        private final SqlStore store;

        private Trial(Path folder, SqlStore store) {
            this.folder = folder;
            this.store = store;
        }

        static Trial of(Path file) throws IOException {
            Head head = header(file).head();
            Path folder = Files.createTempDirectory("homeport-trial");
            SqlStore store = Stores.sqlite(folder, Opening.writer(head::storeId));
            Trial trial = new Trial(folder, store);
            try (BufferedReader in = open(file)) {
                store.restore(in, revision -> {});
                BackupAnswers.read(in);
                return trial;
            } catch (IOException | RuntimeException e) {
                trial.close();
                throw e;
            }
        }

        SqlStore store() {
            return store;
        }

        @Override
        public void close() throws IOException {
            store.close();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
