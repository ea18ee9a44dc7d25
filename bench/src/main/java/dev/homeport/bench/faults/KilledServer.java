package dev.homeport.bench.faults;

import dev.homeport.bench.Isolated;
import dev.homeport.sim.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process that is killed and started again, always under the same addresses and on the same data. */
public final class KilledServer implements AutoCloseable {
    /** Time for the event loops and the compiler to be up after a start. */
    private static final Duration AFTER = Duration.ofMillis(500);

    private final List<String> command;
    private final Path log;
    private final int admin;
    private final int poll;
    private final List<Timeline.Span> spans = new ArrayList<>();
    private Process process;
    private String token = "";

    private KilledServer(List<String> homeport, Path data) throws IOException {
        this.admin = freePort();
        this.poll = freePort();
        this.log = Path.of(data + ".log");
        this.command = new ArrayList<>(homeport);
        command.addAll(List.of("serve", "--data", data.toString(), "--poll-rate", "0"));
        command.addAll(List.of("--admin-listen", "127.0.0.1:" + admin, "--poll-listen", "127.0.0.1:" + poll));
        this.process = start();
    }

    /** @param homeport the command up to {@code serve} */
    public static KilledServer start(List<String> homeport, Path data) throws IOException {
        return new KilledServer(homeport, data);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process start() throws IOException {
        Process started = Isolated.process(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        BufferedReader out = started.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
            if (line == null) {
                throw new IOException("the server did not start; see " + log);
            }
            if (line.startsWith("admin token")) {
                token = line.substring(line.lastIndexOf(' ') + 1);
            }
        }
        return started;
    }

    String admin() {
        return "http://127.0.0.1:" + admin;
    }

    String poll() {
        return "http://127.0.0.1:" + poll;
    }

    String token() {
        return token;
    }

    /** SIGKILL, and a new process at once. */
    void killAndStart() throws IOException, InterruptedException {
        long killed = System.nanoTime();
        process.destroyForcibly();
        process.waitFor();
        process = start();
        spans.add(new Timeline.Span(killed, System.nanoTime() + AFTER.toNanos()));
    }

    /** When no poll could be answered. */
    List<Timeline.Span> outages() {
        return List.copyOf(spans);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(Duration.ofSeconds(30).toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
