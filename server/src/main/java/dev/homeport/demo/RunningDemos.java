package dev.homeport.demo;

import dev.homeport.api.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The demos of one user that run: a file for each, named like its context of the command line, with the demo's folder.
 *
 * @param standard the default folder of a demo
 */
record RunningDemos(DemoFolder standard) {
    private record Entry(Path file, DemoFolder demo) {
        String context() {
            return file.getFileName().toString();
        }

        boolean runs() {
            return demo.runningProcess().isPresent();
        }
    }

    /** Returns the name of its context: a second demo leaves that of the first alone. */
    String enter(DemoFolder demo, int port) {
        boolean taken = false;
        for (Entry entry : entries()) {
            if (entry.demo().equals(demo) || !entry.runs()) {
                DemoFolder.delete(entry.file());
            } else {
                taken |= entry.context().equals(CliContext.NAME);
            }
        }
        String context = taken ? CliContext.NAME + "-" + port : CliContext.NAME;
        PrivateFile.write(folder().resolve(context), demo.root().toString());
        return context;
    }

    Optional<DemoFolder> named(String context) {
        return entries().stream()
                .filter(entry -> entry.context().equals(context) && entry.runs())
                .map(Entry::demo)
                .findFirst();
    }

    /** The default one: the first, and if that has ended the one that was started last. */
    Optional<DemoFolder> usual() {
        return named(CliContext.NAME)
                .or(() -> entries().stream()
                        .filter(Entry::runs)
                        .max(Comparator.comparing(entry -> since(entry.file())))
                        .map(Entry::demo))
                // It may be about to begin.
                .or(() -> Optional.of(standard)
                        .filter(demo -> demo.runningProcess().isPresent()));
    }

    /** The contexts of those that run. */
    List<String> contexts() {
        return entries().stream()
                .filter(Entry::runs)
                .map(Entry::context)
                .sorted()
                .toList();
    }

    private Path folder() {
        return standard.root().resolveSibling("demos");
    }

    private List<Entry> entries() {
        if (!Files.isDirectory(folder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> !file.toString().endsWith(".new")) // being written
                    .map(file -> new Entry(
                            file, new DemoFolder(Path.of(DemoFolder.text(file).strip()))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(folder() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static FileTime since(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0); // It has just ended.
        }
    }
}
