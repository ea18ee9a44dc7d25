package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of docs/howto followed by a reader who types what it says, in a folder of their own. For programs that cannot run
 * here there are others of the same name, each of which says what it was asked to do and waits until that has been done.
 */
public final class Walkthrough implements AutoCloseable {
    private static final Pattern BLOCK =
            Pattern.compile("^```(?:sh|console)\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private final Path folder;
    private final Map<String, String> environment;
    private final List<Daemon> daemons = new ArrayList<>();

    public Walkthrough(String name, KubeCluster cluster) {
        this.folder = Folders.made(Folders.RUN.resolve(name));
        this.environment = new TreeMap<>(Map.of(
                "PATH",
                folder.resolve("bin") + ":" + Folders.CACHE.resolve("bin") + ":" + System.getenv("PATH"),
                "KUBECONFIG",
                cluster.kubeconfig().toString(),
                "KUBECACHEDIR",
                folder.resolve("kubectl-cache").toString(),
                "XDG_CONFIG_HOME",
                folder.resolve("config").toString(),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "HOMEPORT_AOT",
                "off",
                "HOMEPORT_KEYRING",
                "off",
                "JAVA_OPTS",
                "-XX:TieredStopAtLevel=1"));
        try {
            Path script = Folders.ROOT.resolve("homeport");
            Files.createSymbolicLink(folder.resolve("homeport"), script);
            Files.createSymbolicLink(Folders.made(folder.resolve("bin")).resolve("homeport"), script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commands of a page, a block after the other, below a heading. */
    public static List<String> blocks(String page, String heading) {
        String text = text(page);
        int from = text.indexOf("\n## " + heading + "\n");
        int to = text.indexOf("\n## ", from + 1);
        return BLOCK.matcher(text.substring(from, to))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** What a page says in passing. */
    public static String phrase(String page, Pattern phrase) {
        Matcher matcher = phrase.matcher(text(page));
        if (!matcher.find()) {
            throw new AssertionError(page + " does not say " + phrase);
        }
        return matcher.group(1);
    }

    private static String text(String page) {
        try {
            return Files.readString(Folders.ROOT.resolve("docs/howto").resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program that stands in for another: a script. */
    public void standIn(String program, String script) {
        Path file = Folders.made(folder.resolve("bin")).resolve(program);
        try {
            Files.writeString(file, "#!/usr/bin/env bash\nset -euo pipefail\n" + script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    public void write(String name, String text) {
        try {
            Files.writeString(file(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Types commands, and after them what they read. Returns what was printed. */
    public String type(String commands, String input) {
        try {
            Path log = folder.resolve("typed.log");
            ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands)
                    .directory(folder.toFile())
                    .redirectError(log.toFile());
            environment(builder);
            Process process = builder.start();
            // A read without a limit would wait forever for output that never ends.
            CompletableFuture.delayedExecutor(2 * Await.LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .execute(() -> {
                        process.descendants().forEach(ProcessHandle::destroyForcibly);
                        process.destroyForcibly();
                    });
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("failed: " + commands + "\n" + printed + Files.readString(log));
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Types commands of which the last one goes on; returns a line of what they print. */
    public String leaveRunning(String commands, Pattern awaited) {
        Daemon daemon = Daemon.start(
                "terminal",
                folder,
                environment,
                List.of("bash", "-euo", "pipefail", "-c", "cd " + folder + "\n" + commands));
        daemons.add(daemon);
        daemon.await(() -> daemon.lines().stream().anyMatch(awaited.asMatchPredicate()));
        return daemon.lines().stream()
                .filter(awaited.asMatchPredicate())
                .findFirst()
                .orElseThrow();
    }

    private void environment(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(variable -> variable.startsWith("HOMEPORT_"));
        builder.environment().putAll(environment);
    }

    @Override
    public void close() {
        daemons.forEach(Daemon::kill);
    }
}
