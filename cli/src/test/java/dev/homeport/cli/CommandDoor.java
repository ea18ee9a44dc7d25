package dev.homeport.cli;

import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.server.command.AdminCommand;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * A program {@code homeport} for a shell that runs the command in this process, with the shell's own streams, variables and
 * folder: exactly what the command would do, without a JVM's start for each.
 */
final class CommandDoor implements AutoCloseable {
    private final ServerSocket socket;

    /** While a builtin is redirected the shell's first streams are others, hence the copies. */
    CommandDoor(Path program) throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Files.writeString(program, """
                #!/usr/bin/env bash
                exec 3<&0 4>&1 5>&2 7<>/dev/tcp/127.0.0.1/%d
                printf '%%s\\0' "$$" "$#" "$@" >&7
                read -r -u 7 code
                exit "$code"
                """.formatted(socket.getLocalPort()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Thread.ofPlatform().daemon().start(this::listen);
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                Thread.ofPlatform().daemon().start(() -> answer(caller));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private static void answer(Socket caller) {
        try (caller;
                DataInputStream in = new DataInputStream(caller.getInputStream())) {
            Path process = Path.of("/proc", word(in));
            int count = Integer.parseInt(word(in));
            List<String> words = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                words.add(word(in));
            }
            int exit = run(process, words.toArray(String[]::new));
            caller.getOutputStream().write((exit + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String word(InputStream in) throws IOException {
        var bytes = new java.io.ByteArrayOutputStream();
        for (int read = in.read(); read > 0; read = in.read()) {
            bytes.write(read);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int run(Path process, String... words) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String pair : Files.readString(process.resolve("environ")).split("\0", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                variables.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        Path folder = process.resolve("cwd").toRealPath();
        try (InputStream in = new FileInputStream(process.resolve("fd/3").toFile());
                PrintStream out = stream(process, 4);
                PrintStream err = stream(process, 5)) {
            if (words.length > 0 && words[0].equals("admin")) {
                return admin(out, err, Arrays.copyOfRange(words, 1, words.length));
            }
            return Main.run(
                    new ProcessEnvironment(
                            variables,
                            folder,
                            folder,
                            in,
                            out,
                            err,
                            ProcessEnvironment.Terminals.NONE,
                            InstantSource.system()),
                    words);
        }
    }

    private static int admin(PrintStream out, PrintStream err, String... words) {
        CommandLine line = AdminCommand.commandLine();
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        return line.execute(words);
    }

    /** Behind what others have written there. */
    private static PrintStream stream(Path process, int number) throws IOException {
        OutputStream file = new FileOutputStream(process.resolve("fd/" + number).toFile(), true);
        return new PrintStream(file, true, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
