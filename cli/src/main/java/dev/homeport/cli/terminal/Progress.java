package dev.homeport.cli.terminal;

import java.io.PrintStream;

/**
 * Progress of a command: one line that is drawn again on a terminal, and a line for each change elsewhere. Nothing in the
 * first second.
 */
public final class Progress implements AutoCloseable {
    private static final long QUIET_MILLIS = 1000;
    private static final int WIDTH = 78;

    private final PrintStream err;
    private final boolean terminal;
    private final long begin = System.nanoTime();
    private String shown = "";

    public Progress(ProcessEnvironment process) {
        this.err = process.err();
        this.terminal = process.terminals().err()
                && !process.variable("TERM").orElse("").equals("dumb");
    }

    public void say(String text) {
        boolean early = System.nanoTime() - begin < QUIET_MILLIS * 1_000_000;
        if (early || text.equals(shown)) {
            return;
        }
        shown = text;
        if (terminal) {
            err.print("\r\u001b[K" + (text.length() > WIDTH ? text.substring(0, WIDTH - 1) + "…" : text));
        } else {
            err.println(text);
        }
        err.flush();
    }

    @Override
    public void close() {
        if (terminal && !shown.isEmpty()) {
            err.print("\r\u001b[K");
            err.flush();
        }
        shown = "";
    }
}
