package dev.homeport.bench.cli;

import dev.homeport.bench.Isolated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Processes that end with the benchmark; what each says is in a file beside the others. */
final class Children implements AutoCloseable {
    private static final int SECONDS = 90;

    private final Path folder;
    private final List<Process> running = new ArrayList<>();

    Children(Path folder) {
        this.folder = folder;
    }

    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    void start(String name, Map<String, String> variables, List<String> command) throws IOException {
        ProcessBuilder builder = Isolated.process(command);
        builder.environment().putAll(variables);
        running.add(builder.redirectErrorStream(true)
                .redirectOutput(log(name).toFile())
                .start());
    }

    /** Waits until something holds, or says whose log to read. */
    void await(String name, BooleanSupplier ready) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(name + " is not ready after " + SECONDS + " s: " + said(name));
            }
            Thread.sleep(200);
        }
    }

    String said(String name) {
        try {
            return Files.exists(log(name)) ? Files.readString(log(name)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        for (Process process : running.reversed()) {
            process.destroy();
        }
        for (Process process : running) {
            try {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }
}
