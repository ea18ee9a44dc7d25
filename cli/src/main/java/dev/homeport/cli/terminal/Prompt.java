package dev.homeport.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** Asks a person at a terminal. */
public final class Prompt {
    private static final int LONGEST = 10_000;

    private final ProcessEnvironment process;

    public Prompt(ProcessEnvironment process) {
        this.process = process;
    }

    /** Empty at the end of input. */
    public Optional<String> ask(String question) {
        PrintStream err = process.err();
        err.print(question);
        err.flush();
        // Byte by byte: what follows the line may be meant for another program.
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            int next = process.in().read();
            if (next < 0) {
                err.println();
                return Optional.empty();
            }
            while (next >= 0 && next != '\n' && line.size() < LONGEST) {
                line.write(next);
                next = process.in().read();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("standard input cannot be read: " + e.getMessage(), e);
        }
        return Optional.of(line.toString(StandardCharsets.UTF_8).strip());
    }

    /** What is typed is not shown. */
    public Optional<String> askSecret(String question) {
        Console console = Objects.requireNonNull(System.console());
        if (!console.isTerminal()) {
            return ask(question);
        }
        char[] typed = console.readPassword("%s", question);
        if (typed == null) {
            return Optional.empty();
        }
        String text = new String(typed).strip();
        Arrays.fill(typed, ' ');
        return Optional.of(text);
    }
}
