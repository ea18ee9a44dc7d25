package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** GNOME's keyring on a session bus of its own, as on a desktop without a user who could type a password. */
final class RealKeyring implements AutoCloseable {
    private static final List<String> PROGRAMS = List.of("dbus-daemon", "gnome-keyring-daemon", "secret-tool");
    private static final List<String> PACKAGES = List.of(
            "dbus-daemon", "gnome-keyring", "libgck-1-0", "libgcr-base-3-1", "libsecret-1-0", "libsecret-tools");

    private final Map<String, String> variables = new HashMap<>();
    private final Process bus;
    private Process daemon;

    RealKeyring(Path folder) throws IOException, InterruptedException {
        Files.createDirectory(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        variables.put("HOME", folder.toString());
        variables.put("XDG_DATA_HOME", folder.toString());
        variables.put("XDG_RUNTIME_DIR", folder.toString());
        variables.put("PATH", System.getenv("PATH"));
        if (!PROGRAMS.stream().allMatch(RealKeyring::isInstalled)) {
            Path root = UnpackedPackages.of("keyring", PACKAGES);
            if (!Files.isDirectory(root)) {
                abort("there is no keyring and its packages could not be got: apt install "
                        + String.join(" ", PACKAGES));
            }
            variables.put("PATH", root.resolve("usr/bin") + ":" + System.getenv("PATH"));
            variables.put("LD_LIBRARY_PATH", UnpackedPackages.libraries(root));
        }
        Path config = Files.writeString(folder.resolve("bus.conf"), """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <listen>unix:path=%s</listen>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                  </policy>
                </busconfig>
                """.formatted(folder.resolve("bus")));
        bus = start("", "dbus-daemon", "--nofork", "--config-file=" + config);
        for (int i = 0; i < 500 && !Files.exists(folder.resolve("bus")); i++) {
            Thread.sleep(10);
        }
        variables.put("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + folder.resolve("bus"));
        daemon = unlocked();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** What a command needs to find it. */
    Map<String, String> variables() {
        return variables;
    }

    /** Everything that it keeps for us, with attributes and secrets. */
    String content() throws IOException, InterruptedException {
        return run("search", "--all", "service", "homeport");
    }

    String run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("secret-tool"));
        command.addAll(List.of(words));
        Process tool = start("", command.toArray(String[]::new));
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    /** As after a login without a password. */
    void lock() throws IOException, InterruptedException {
        end(daemon);
        daemon = ready(start("", "gnome-keyring-daemon", "--foreground", "--components=secrets"));
    }

    void unlock() throws IOException, InterruptedException {
        end(daemon);
        daemon = unlocked();
    }

    private Process unlocked() throws IOException, InterruptedException {
        return ready(start("password", "gnome-keyring-daemon", "--foreground", "--components=secrets", "--unlock"));
    }

    private Process ready(Process started) throws IOException, InterruptedException {
        for (int i = 0; i < 200; i++) {
            Process asked = start("", "secret-tool", "search", "service", "none");
            if (asked.waitFor(10, TimeUnit.SECONDS) && asked.exitValue() == 0) {
                return started;
            }
            Thread.sleep(20);
        }
        throw new AssertionError("the keyring does not start");
    }

    private Process start(String input, String... command) throws IOException {
        // Through env, because Java looks for programs on its own PATH.
        List<String> words = new ArrayList<>(List.of("env"));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        return process;
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    @Override
    public void close() throws InterruptedException {
        end(daemon);
        end(bus);
    }
}
