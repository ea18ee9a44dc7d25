package dev.homeport.cli.login;

import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The desktop's keyring (Secret Service), as libsecret's {@code secret-tool} reaches it. Secrets come and go by its standard
 * input and output, where no list of processes shows them.
 */
public final class Keyring {
    /** secret-tool cuts off what is longer than 8192 bytes, and calls that a success. */
    public static final int LONGEST = 8000;

    private static final String TOOL = "secret-tool";

    /** A script cannot type the password of a keyring. */
    private static final Duration ALONE = Duration.ofSeconds(5);

    private static final Duration WITH_A_DIALOG = Duration.ofSeconds(60);
    private static final Duration BEFORE_A_HINT = Duration.ofSeconds(1);

    private final Path tool;
    private final ProcessEnvironment process;

    private Keyring(Path tool, ProcessEnvironment process) {
        this.tool = tool;
        this.process = process;
    }

    /** Empty where there cannot be one; starts nothing to find out. */
    public static Optional<Keyring> of(ProcessEnvironment process) {
        return hasBus(process) ? tool(process).map(found -> new Keyring(found, process)) : Optional.empty();
    }

    /** Why there is no keyring. */
    public static String missing(ProcessEnvironment process) {
        return tool(process).isEmpty()
                ? "there is no " + TOOL + " on the PATH (Debian, Ubuntu: apt install libsecret-tools)"
                : "there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)";
    }

    private static boolean hasBus(ProcessEnvironment process) {
        return process.variable("DBUS_SESSION_BUS_ADDRESS").isPresent()
                || process.variable("XDG_RUNTIME_DIR")
                        .filter(folder -> Files.exists(Path.of(folder, "bus")))
                        .isPresent();
    }

    private static Optional<Path> tool(ProcessEnvironment process) {
        for (String folder : process.variable("PATH").orElse("").split(":", -1)) {
            // A program in a folder relative to the working directory must not receive secrets.
            if (folder.startsWith("/") && Files.isExecutable(Path.of(folder, TOOL))) {
                return Optional.of(Path.of(folder, TOOL));
            }
        }
        return Optional.empty();
    }

    /** Keeps a secret, and makes sure that it can be read again. */
    public void store(String id, String label, String secret) {
        if (secret.length() > LONGEST) {
            throw new KeyringProblem("it is longer than a keyring takes");
        }
        List<String> words = new ArrayList<>(List.of("store", "--label=" + SafeText.line(label)));
        words.addAll(named(id));
        Subprocess.Result stored = end(start(words, secret));
        if (stored.exit() != 0) {
            throw refused(stored);
        }
        if (!lookup(id).equals(Optional.of(secret))) {
            clear(id); // what the keyring has stored of it cannot be used
            throw new KeyringProblem("it does not give back what was stored");
        }
    }

    /** Empty if there is no such secret. */
    public Optional<String> lookup(String id) {
        return answer(id, begin(id));
    }

    /** The first half of a lookup. */
    public Subprocess begin(String id) {
        List<String> words = new ArrayList<>(List.of("lookup"));
        words.addAll(named(id));
        return start(words, "");
    }

    /** The second half. */
    public Optional<String> answer(String id, Subprocess begun) {
        Subprocess.Result found = end(begun);
        if (found.exit() == 0) {
            return Optional.of(found.out());
        }
        // A locked entry and a missing one give the same result; when both are searched for, only one is found.
        if (found.err().isBlank() && found.out().isEmpty()) {
            if (holds(id)) {
                throw new KeyringProblem("it is locked");
            }
            return Optional.empty();
        }
        throw refused(found);
    }

    public void clear(String id) {
        List<String> words = new ArrayList<>(List.of("clear"));
        words.addAll(named(id));
        Subprocess.Result cleared = end(start(words, ""));
        if (cleared.exit() != 0 && holds(id)) {
            throw cleared.err().isBlank() ? new KeyringProblem("it is locked") : refused(cleared);
        }
    }

    /** The command that a user runs to remove what this program could not remove. */
    public static String clearing(String id) {
        return TOOL + " clear " + String.join(" ", named(id));
    }

    /** Whether there is such a secret, without unlocking anything. Also a way to see whether the keyring answers. */
    public boolean holds(String id) {
        List<String> words = new ArrayList<>(List.of("search"));
        words.addAll(named(id));
        Subprocess.Result found = end(start(words, ""));
        if (found.exit() != 0) {
            throw refused(found);
        }
        return !found.out().isBlank();
    }

    private static List<String> named(String id) {
        return List.of("service", "homeport", "id", id);
    }

    private static KeyringProblem refused(Subprocess.Result result) {
        String said = SafeText.line(result.err().strip());
        return new KeyringProblem(
                said.isEmpty()
                        ? TOOL + " ended with " + result.exit()
                        : said.substring(
                                0, said.offsetByCodePoints(0, Math.min(said.codePointCount(0, said.length()), 200))));
    }

    private Subprocess start(List<String> words, String input) {
        try {
            return Subprocess.start(tool, words, process.variables(), input);
        } catch (IOException e) {
            throw new KeyringProblem(tool + " cannot be run: " + e.getMessage());
        }
    }

    private Subprocess.Result end(Subprocess begun) {
        boolean interactive = process.terminals().in() && process.terminals().err();
        Optional<Subprocess.Result> result = begun.end(interactive ? BEFORE_A_HINT : ALONE);
        if (interactive && result.isEmpty()) {
            process.err().println("waiting for the keyring, which may be asking for its password…");
            process.err().flush();
            result = begun.end(WITH_A_DIALOG);
        }
        if (result.isEmpty()) {
            begun.kill();
            throw new KeyringProblem(
                    "it does not answer within " + (interactive ? WITH_A_DIALOG : ALONE).toSeconds() + " s");
        }
        return result.get();
    }
}
