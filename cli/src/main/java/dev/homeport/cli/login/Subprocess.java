package dev.homeport.cli.login;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A run of another program, which may hang or print without end. */
public final class Subprocess {
    private static final int MOST_BYTES = 64 * 1024;

    private final Process process;
    private final Reader out;
    private final Reader err;

    /** How it ended, and what it said. */
    public record Result(int exit, String out, String err) {}

    private Subprocess(Process process) {
        this.process = process;
        this.out = new Reader(process, process.getInputStream());
        this.err = new Reader(process, process.getErrorStream());
    }

    /** @param input what it reads; less than fits into a pipe, so that writing it never waits */
    public static Subprocess start(Path program, List<String> words, Map<String, String> variables, String input)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(variables);
        Subprocess running = new Subprocess(builder.start());
        try (OutputStream in = running.process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It did not want to read that; how it ends says why.
        }
        return running;
    }

    /** Empty while it goes on. */
    public Optional<Result> end(Duration within) {
        long until = System.nanoTime() + within.toNanos();
        try {
            if (process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS)) {
                // A child of the process may keep its output open.
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
                out.thread.join(left);
                err.thread.join(left);
                return Optional.of(new Result(process.exitValue(), out.text(), err.text()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    public void kill() {
        process.destroyForcibly();
    }

    /** Reads up to a limit, and ends a program that writes more. */
    private static final class Reader implements Runnable {
        private final Process process;
        private final InputStream in;
        private final Thread thread;
        private volatile String read = "";

        Reader(Process process, InputStream in) {
            this.process = process;
            this.in = in;
            this.thread = Thread.ofPlatform().daemon().name("other-program").unstarted(this);
            thread.start();
        }

        @Override
        public void run() {
            try {
                byte[] bytes = in.readNBytes(MOST_BYTES);
                read = new String(bytes, StandardCharsets.UTF_8);
                if (bytes.length == MOST_BYTES) {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                // It was ended; there is no more to come.
            }
        }

        String text() {
            return read;
        }
    }
}
