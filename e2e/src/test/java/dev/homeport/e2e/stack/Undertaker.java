package dev.homeport.e2e.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Knows every process that was started here, and outlives this one if need be to end them: see {@code e2e/undertaker}. */
final class Undertaker {
    private static final Writer ORDERS = start();

    private Undertaker() {}

    private static Writer start() {
        try {
            Process process = new ProcessBuilder(
                            Folders.ROOT.resolve("e2e/undertaker").toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.outputWriter(StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void started(long pid) {
        order("+" + pid);
    }

    static void stopped(long pid) {
        order("-" + pid);
    }

    private static void order(String line) {
        synchronized (ORDERS) {
            try {
                ORDERS.write(line + "\n");
                ORDERS.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
