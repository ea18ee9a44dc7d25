package dev.homeport.cli;

import dev.homeport.server.config.Setting;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The terminal of a page's reader: one shell in a folder of its own, and servers beside it. */
final class HowtoShell implements AutoCloseable {
    private static final int SECONDS = 90;

    /** Addresses that pages name; here each is another one that is free. */
    private static final List<Integer> PORTS = List.of(8080, 8081, 8082, 8083, 5432);

    private final Path folder;
    private final Path notes;
    private final Map<Integer, Integer> ports = new LinkedHashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, Process> servers = new LinkedHashMap<>();
    private final Process shell;
    private final BufferedWriter commands;
    private final BufferedReader codes;
    private int blocks;

    /**
     * What a block said.
     *
     * @param failed the first command that ended with another code than zero
     */
    record Said(String text, int exit, Optional<String> failed) {}

    HowtoShell(Path root, Path program) throws IOException {
        this.folder = Files.createDirectories(root.resolve("work")).toRealPath();
        this.notes = Files.createDirectories(root.resolve("notes"));
        // All at once, so that they are different ones.
        List<ServerSocket> free = new ArrayList<>();
        for (int port : PORTS) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            free.add(socket);
            ports.put(port, socket.getLocalPort());
        }
        for (ServerSocket socket : free) {
            socket.close();
        }
        variables.put("XDG_CONFIG_HOME", root.resolve("config").toString());
        variables.put("XDG_CACHE_HOME", root.resolve("cache").toString());
        variables.put("HOMEPORT_ADMIN_LISTEN", "127.0.0.1:" + ports.get(8080));
        variables.put("HOMEPORT_POLL_LISTEN", "127.0.0.1:" + ports.get(8081));
        variables.put("HOMEPORT_KEYRING", "off");
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("PATH", program.getParent() + ":" + System.getenv("PATH"));
        ProcessBuilder builder = process(List.of("bash", "--noprofile", "--norc"));
        shell = builder.redirectErrorStream(true).start();
        commands = shell.outputWriter();
        codes = shell.inputReader();
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> Setting.isVariable(name) || name.equals("JAVA_OPTS"));
        builder.environment().putAll(variables);
        return builder;
    }

    int port(int named) {
        return Objects.requireNonNull(ports.get(named));
    }

    void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), here(text));
    }

    Said run(String script) throws Exception {
        Path block = notes.resolve("block-" + ++blocks);
        Path out = notes.resolve("out-" + blocks);
        Files.writeString(out, "");
        Files.writeString(block, """
                failed=
                set -E -o pipefail
                trap '[ -n "$failed" ] || failed=$BASH_COMMAND' ERR
                """ + here(script));
        commands.write(". '%s' </dev/null >>'%s' 2>&1; echo \"$? $failed\"\n".formatted(block, out));
        commands.flush();
        String ended;
        try {
            ended = CompletableFuture.supplyAsync(() -> line(codes)).get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    "not done after " + SECONDS + " s:\n" + script + "\nit said:\n" + Files.readString(out), e);
        }
        int space = ended.indexOf(' ');
        return new Said(
                asWritten(Files.readString(out)),
                Integer.parseInt(ended.substring(0, space)),
                Optional.of(ended.substring(space + 1)).filter(command -> !command.isEmpty()));
    }

    private static String line(BufferedReader reader) {
        try {
            return String.valueOf(reader.readLine());
        } catch (IOException e) {
            return "1 " + e;
        }
    }

    /** Starts a server and waits until it is ready, or has ended. */
    Said serve(String name, String script) throws Exception {
        Path out = notes.resolve("server-" + name + "-" + ++blocks);
        Process server = process(
                        List.of("bash", "-c", "exec env " + here(script).strip()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        servers.put(name, server);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!Files.readString(out).contains("\nready\n")) {
            if (!server.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("the server does not start: " + Files.readString(out));
            }
            Thread.sleep(50);
        }
        return new Said(asWritten(Files.readString(out)), 0, Optional.empty());
    }

    void stop(String name) throws InterruptedException {
        Process server = Objects.requireNonNull(servers.remove(name), "no server " + name);
        server.destroy();
        if (!server.waitFor(SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the server " + name + " does not stop");
        }
    }

    /** What a page says, with the addresses that are free here. */
    String here(String text) {
        String result = text;
        for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
            result = result.replace("127.0.0.1:" + port.getKey(), "127.0.0.1:" + port.getValue());
        }
        return result;
    }

    /** What was said here, as a page has it. */
    private String asWritten(String text) {
        String result = text.replace(folder + "/", "").replace(folder.toString(), ".");
        for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
            result = result.replace("127.0.0.1:" + port.getValue(), "127.0.0.1:" + port.getKey());
        }
        return result;
    }

    @Override
    public void close() throws InterruptedException {
        shell.destroy();
        for (Process server : servers.values()) {
            server.destroy();
        }
        for (Process server : servers.values()) {
            if (!server.waitFor(20, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }
}
