package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A process that runs until it is stopped, with what it says in a file. */
final class Daemon implements AutoCloseable {
    private static final long GRACE_SECONDS = 3;

    private final String name;
    private final Process process;
    private final Path log;

    private Daemon(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static Daemon start(String name, Path folder, Map<String, String> environment, List<String> command) {
        Path log = Folders.made(folder).resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(Daemon::isForeign);
        // Of what is here, processor time is scarcer than memory: Go collects garbage less often.
        builder.environment().put("GOGC", "400");
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            Undertaker.started(process.pid());
            process.getOutputStream().close();
            return new Daemon(name, process, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Settings of the user who runs the tests, and proxies between two processes of one machine. */
    private static boolean isForeign(String variable) {
        return variable.startsWith("HOMEPORT_")
                || variable.equals("KUBECONFIG")
                || variable.toLowerCase(java.util.Locale.ROOT).endsWith("_proxy");
    }

    /** Waits until it is ready, and fails with what it said last if it ends instead. */
    Daemon await(BooleanSupplier ready) {
        Await.until(
                name + " is ready",
                () -> {
                    if (!process.isAlive()) {
                        return true;
                    }
                    return ready.getAsBoolean();
                },
                this::tail);
        if (!process.isAlive()) {
            throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + tail());
        }
        return this;
    }

    /** For what is not a daemon after all. */
    void awaitEnd() {
        try {
            if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(name + " failed:\n" + tail());
            }
            Undertaker.stopped(process.pid());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    List<String> lines() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String tail() {
        List<String> lines = lines();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    /** As the kernel or a power cut would. */
    void kill() {
        end(true);
    }

    @Override
    public void close() {
        end(false);
    }

    private void end(boolean atOnce) {
        try {
            if (!atOnce) {
                process.destroy();
            }
            if (atOnce || !process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Undertaker.stopped(process.pid());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
