package dev.homeport.server.ops;

import dev.homeport.server.Main;
import dev.homeport.server.config.Setting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code homeport …} in a process of its own. */
public final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new ArrayList<>();

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts a server and waits until it is ready, or has ended. Ports are free ones. */
    public static ServerProcess serve(Map<String, String> environment, String... more) throws IOException {
        return serveBehind(List.of(), environment, more);
    }

    /** The system refuses to make any of its files longer. */
    static ServerProcess serveWithFilesUpTo(int kib, Map<String, String> environment, String... more)
            throws IOException {
        return serveBehind(List.of("bash", "-c", "ulimit -f " + kib + " && exec \"$0\" \"$@\""), environment, more);
    }

    private static ServerProcess serveBehind(List<String> before, Map<String, String> environment, String... more)
            throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--admin-listen", "127.0.0.1:0", "--poll-listen", "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        ServerProcess started = start(before, environment, arguments);
        BufferedReader out = started.process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            started.lines.add(line);
            if (line.equals("ready")) {
                return started;
            }
        }
        return started;
    }

    public static ServerProcess serve(Path data, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("--data", data.toString()));
        all.addAll(List.of(more));
        return serve(Map.of(), all.toArray(String[]::new));
    }

    /** Runs a command to its end; what it printed are the lines. */
    static ServerProcess run(String... arguments) throws IOException {
        return run(Map.of(), arguments);
    }

    static ServerProcess run(Map<String, String> environment, String... arguments) throws IOException {
        ServerProcess started = start(List.of(), environment, List.of(arguments));
        started.process.inputReader(StandardCharsets.UTF_8).lines().forEach(started.lines::add);
        return started;
    }

    private static ServerProcess start(List<String> before, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(Setting::isVariable);
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start());
    }

    public List<String> lines() {
        return lines;
    }

    public String poll() {
        return address("poll plane:");
    }

    public String admin() {
        return address("admin plane:");
    }

    private String address(String label) {
        return lines.stream()
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + label + " in " + lines));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL, as the kernel or a power cut would. */
    void kill() {
        process.destroyForcibly();
    }

    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running");
        }
        return process.exitValue();
    }

    /** Returns when it has ended, so that what comes next finds the data folder free. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
