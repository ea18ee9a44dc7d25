package dev.homeport.bench.attack;

import dev.homeport.bench.Percentiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls as the Flux Operator makes them, each on a connection of its own, at a fixed rate. A poll's time counts from when it was
 * due, so that a server that stalls is not spared those that it kept from being sent.
 */
final class HonestPolls {
    private static final int PER_SECOND = 50;

    /** A handshake costs the client as much as the server. */
    private static final int PER_SECOND_BY_TLS = 10;

    private static final int TIMEOUT_MILLIS = 15_000;

    private final AttackTarget target;
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** @param failures how many polls were not answered with 200, by what happened to them */
    record Result(int sent, double p50, double p99, Map<String, Integer> failures) {
        int failed() {
            return failures.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    HonestPolls(AttackTarget target) {
        this.target = target;
    }

    Result run(int seconds) {
        int perSecond = target.tls() ? PER_SECOND_BY_TLS : PER_SECOND;
        long[] nanos = new long[perSecond * seconds];
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < nanos.length; i++) {
                int number = i;
                long due = begun + i * 1_000_000_000L / perSecond;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> {
                    poll(number);
                    nanos[number] = System.nanoTime() - due;
                });
            }
        }
        Percentiles times = new Percentiles(nanos);
        return new Result(nanos.length, times.millis(0.5), times.millis(0.99), new TreeMap<>(failures));
    }

    private void poll(int number) {
        try (Socket socket = open()) {
            socket.getOutputStream().write(target.pollOf(number));
            String answer = new String(read(socket.getInputStream()), StandardCharsets.ISO_8859_1);
            if (!answer.startsWith("HTTP/1.1 200 ")) {
                failed(
                        answer.isEmpty()
                                ? "no answer"
                                : answer.lines().findFirst().orElse(""));
            } else if (!answer.contains("\"inputs\"")) {
                failed("200 without the answer");
            }
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void failed(String how) {
        failures.merge(how, 1, Integer::sum);
    }

    private static byte[] read(InputStream in) throws IOException {
        return in.readAllBytes(); // the server ends the connection, as the request says
    }

    private Socket open() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            socket.connect(target.poll(), TIMEOUT_MILLIS);
            return target.tls()
                    ? TrustAll.CONTEXT
                            .getSocketFactory()
                            .createSocket(socket, "localhost", target.poll().getPort(), true)
                    : socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
