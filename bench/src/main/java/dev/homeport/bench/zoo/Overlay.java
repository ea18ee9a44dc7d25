package dev.homeport.bench.zoo;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A folder with one planted bug, laid over the built classes or, for what is not on a class path, over the sources. */
final class Overlay {
    private static final Pattern ON_THE_CLASS_PATH = Pattern.compile("[a-z0-9]+/src/main/(java|resources)/(.+)");

    private final Path root;
    private final Path folder;

    Overlay(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /** Where tests find the project: a changed copy if the bug is in a script, a chart or a page. */
    Path plant(PlantedBug bug, List<Path> classPath) throws IOException {
        String changed = bug.plantIn(Files.readString(root.resolve(bug.file())));
        Matcher inModule = ON_THE_CLASS_PATH.matcher(bug.file());
        if (!inModule.matches()) {
            Path copy = folder.resolve("sources");
            copySources(copy);
            Files.writeString(copy.resolve(bug.file()), changed);
            return copy;
        }
        Path classes = Files.createDirectories(classes());
        if (inModule.group(1).equals("java")) {
            Path source = folder.resolve("source").resolve(inModule.group(2));
            Files.createDirectories(source.getParent());
            Files.writeString(source, changed);
            compile(bug, source, classes, classPath);
        } else {
            Path resource = classes.resolve(inModule.group(2));
            Files.createDirectories(resource.getParent());
            Files.writeString(resource, changed);
        }
        return root;
    }

    /** Goes before everything else on the class path. */
    Path classes() {
        return folder.resolve("classes");
    }

    private static void compile(PlantedBug bug, Path source, Path classes, List<Path> classPath) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String path =
                    String.join(":", classPath.stream().map(Path::toString).toList());
            List<String> options = List.of(
                    "-d", classes.toString(), "-cp", path, "-proc:none", "-parameters", "-nowarn", "--release", "25");
            if (!compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IllegalArgumentException(
                        "bench/zoo/" + bug.name() + PlantedBug.SUFFIX + ": it does not compile\n" + messages);
            }
        }
    }

    private void copySources(Path to) throws IOException {
        Set<String> left = Set.of("target", ".git", "results", "node_modules");
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (left.contains(from.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(root.relativize(from).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.copy(from, to.resolve(root.relativize(from).toString()), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
