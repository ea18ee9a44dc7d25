package dev.homeport.bench.events;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Requests over plain sockets: a client library would cost more than what is measured. */
final class Wire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final InetSocketAddress server;
    private final ConcurrentLinkedQueue<Line> idle = new ConcurrentLinkedQueue<>();

    private record Line(Socket socket, InputStream in) {}

    Wire(URI base) {
        this.server = new InetSocketAddress(base.getHost(), base.getPort());
    }

    /** On a connection of its own, as the Flux Operator polls. */
    boolean once(byte[] request, int status) {
        try {
            Line line = open();
            try (Socket socket = line.socket()) {
                socket.getOutputStream().write(request);
                return read(line.in()) == status;
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** On a connection that is kept, as notification-controller posts. */
    boolean again(byte[] request, int status) {
        Line known = idle.poll();
        try {
            Line line = known == null ? open() : known;
            known = line;
            line.socket().getOutputStream().write(request);
            int got = read(line.in());
            idle.add(line);
            return got == status;
        } catch (IOException e) {
            close(known);
            return false;
        }
    }

    /** Ends the connections that were kept. */
    @Override
    public void close() {
        for (Line line = idle.poll(); line != null; line = idle.poll()) {
            close(line);
        }
    }

    private static void close(@Nullable Line line) {
        try {
            if (line != null) {
                line.socket().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Line open() throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(server, TIMEOUT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new Line(socket, new BufferedInputStream(socket.getInputStream(), 16 * 1024));
    }

    /** The status, once as many bytes as were announced have come. */
    private static int read(InputStream in) throws IOException {
        int status = 0;
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (status == 0) {
                status = Integer.parseInt(line.substring(9, 12));
            } else if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        if (in.readNBytes(length).length < length) {
            throw new IOException("cut off");
        }
        return status;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("cut off");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    static byte[] bytes(String head, byte[] body) {
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[first.length + body.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }
}
