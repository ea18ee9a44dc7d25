package dev.homeport.bench.poll;

import dev.homeport.bench.ChildJvm;
import dev.homeport.bench.Percentiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that polls at a fixed rate, each poll on a connection of its own and of the next cluster, as a fleet does. A
 * poll's time counts from when it was due, so that a server that stalls is not spared the polls that it kept from being sent.
 */
final class RatedLoad {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final InetSocketAddress server;
    private final List<String> requests;
    private final AtomicInteger errors = new AtomicInteger();

    private RatedLoad(URI base, int clusters) {
        this.server = new InetSocketAddress(base.getHost(), base.getPort());
        this.requests = java.util.stream.IntStream.range(0, clusters)
                .mapToObj(number -> request(base, number))
                .toList();
    }

    private static String request(URI base, int number) {
        return "GET " + FleetTokens.path(number) + " HTTP/1.1\r\nHost: " + base.getAuthority()
                + "\r\nAuthorization: Bearer " + FleetTokens.token(number).reveal()
                + "\r\nUser-Agent: flux-operator/v0.58.1\r\nAccept: application/json\r\nAccept-Encoding: gzip"
                + "\r\nConnection: close\r\n\r\n";
    }

    public static void main(String[] args) throws InterruptedException {
        RatedLoad load = new RatedLoad(URI.create(args[0]), Integer.parseInt(args[1]));
        int rate = Integer.parseInt(args[2]);
        load.run(rate, rate * 3); // for this process to warm up
        int before = load.errors.getAndSet(0);
        long[] nanos = load.run(rate, rate * Integer.parseInt(args[3]));
        Percentiles percentiles = new Percentiles(nanos);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("polls", nanos.length);
        figures.put("errors", load.errors.get());
        figures.put("errors_in_all", before + load.errors.get());
        figures.put("p50_ms", percentiles.millis(0.5));
        figures.put("p99_ms", percentiles.millis(0.99));
        figures.put("max_ms", percentiles.millis(1));
        ChildJvm.report(figures);
    }

    private long[] run(int perSecond, int polls) throws InterruptedException {
        long[] nanos = new long[polls];
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < polls; i++) {
                int poll = i;
                long due = begun + i * 1_000_000_000L / perSecond;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> {
                    if (!isAnswered(requests.get(poll % requests.size()))) {
                        errors.incrementAndGet();
                    }
                    nanos[poll] = System.nanoTime() - due;
                });
            }
        }
        return nanos;
    }

    /** Whether it came back with 200 and as many bytes as it said. */
    private boolean isAnswered(String request) {
        try (Socket socket = new Socket()) {
            socket.connect(server, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            byte[] bytes = new byte[4096];
            int length = 0;
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes, length, bytes.length - length)) {
                length += n;
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
            }
            String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            int at = text.indexOf("Content-Length: ");
            return text.startsWith("HTTP/1.1 200 ")
                    && at > 0
                    && at < end
                    && length - end - 4 == Integer.parseInt(text.substring(at + 16, text.indexOf('\r', at)));
        } catch (IOException e) {
            return false;
        }
    }
}
