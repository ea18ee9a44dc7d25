package dev.homeport.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything a command gets from outside, so that tests can run many in one process.
 *
 * @param folder where it was typed: files are named from there
 * @param out for data
 * @param err for everything else
 */
public record ProcessEnvironment(
        Map<String, String> variables,
        Path home,
        Path folder,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Terminals terminals,
        InstantSource clock) {

    private static final int STANDARD_COLUMNS = 80;

    /** Which of the three streams are terminals. */
    public record Terminals(boolean in, boolean out, boolean err) {
        public static final Terminals NONE = new Terminals(false, false, false);
    }

    public static ProcessEnvironment ofProcess() {
        Map<String, String> variables = System.getenv();
        boolean forced = !variables.getOrDefault("HOMEPORT_FORCE_TTY", "").isEmpty();
        return new ProcessEnvironment(
                variables,
                Path.of(Optional.ofNullable(variables.get("HOME")) // Java asks the system alone
                        .filter(home -> !home.isEmpty())
                        .orElse(System.getProperty("user.home"))),
                Path.of(""),
                System.in,
                new DataStream(new FileOutputStream(FileDescriptor.out), () -> isPipe(1)),
                new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8),
                new Terminals(isTerminal(0), forced || isTerminal(1), forced || isTerminal(2)),
                InstantSource.system());
    }

    /** Looks at the link, because loading what could call isatty takes longer than most commands. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return Objects.requireNonNull(System.console()).isTerminal();
        }
    }

    private static boolean isPipe(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("pipe:") || target.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** A variable that is set to something. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** A file as it was typed. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    public Path configFolder() {
        return folderBy("XDG_CONFIG_HOME", ".config");
    }

    public Path cacheFolder() {
        return folderBy("XDG_CACHE_HOME", ".cache");
    }

    /** Follows the XDG rules, which ignore relative paths: tokens would end up in the working directory. */
    private Path folderBy(String variable, String standard) {
        return variable(variable)
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(home.resolve(standard))
                .resolve("homeport");
    }

    public String readAll() {
        try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("standard input cannot be read: " + e.getMessage(), e);
        }
    }

    /** How wide a table may be: as wide as the terminal, and elsewhere as most are. */
    public int columns() {
        String wide = terminals.out() ? variables.getOrDefault("COLUMNS", "") : "";
        return wide.matches("[1-9][0-9]{1,3}") ? Math.max(STANDARD_COLUMNS, Integer.parseInt(wide)) : STANDARD_COLUMNS;
    }

    public Style style(boolean errors) {
        return Style.of(this, errors ? terminals.err() : terminals.out());
    }
}
