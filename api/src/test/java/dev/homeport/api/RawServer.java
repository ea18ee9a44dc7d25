package dev.homeport.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A server that reads whole requests and then does what a test says with the connection, which real ones do not. */
final class RawServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Behaviour behaviour;
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    /** What follows a request; the connection is closed afterwards. */
    interface Behaviour {
        void answer(String request, Socket connection, OutputStream out) throws IOException, InterruptedException;
    }

    RawServer(Behaviour behaviour) {
        this.behaviour = behaviour;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Answers every request with these bytes. */
    static RawServer saying(String status, String mediaType, String body) {
        return new RawServer((request, connection, out) -> out.write(reply(status, mediaType, body)));
    }

    static byte[] reply(String status, String mediaType, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: " + mediaType + "\r\nContent-Length: " + bytes.length
                + "\r\nConnection: close\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.UTF_8);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            String request = read(new BufferedInputStream(connection.getInputStream()));
            requests.add(request);
            behaviour.answer(request, connection, connection.getOutputStream());
            connection.getOutputStream().flush();
        } catch (IOException | InterruptedException e) {
            // the client went away, as some tests want
        }
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (!all.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            all.write(next);
        }
        String head = all.toString(StandardCharsets.ISO_8859_1);
        for (String line : head.split("\r\n", -1)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                int length =
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
                all.write(in.readNBytes(length));
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** The requests that arrived whole. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    HomeportClient client() {
        return client(Optional.empty());
    }

    HomeportClient client(Optional<Duration> patience) {
        return new HomeportClient(new ServerAddress(
                address(), () -> Optional.of("secret-token"), TlsFiles.NONE, line -> {}, versions -> {}, patience));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
