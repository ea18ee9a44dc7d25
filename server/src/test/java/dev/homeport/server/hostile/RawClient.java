package dev.homeport.server.hostile;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends bytes as they are: other clients refuse to send what is wrong. */
final class RawClient implements AutoCloseable {
    private final InetSocketAddress address;
    private final String token;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    RawClient(String base, String token) {
        String[] parts = base.substring("http://".length()).split(":", 2);
        this.address = new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
        this.token = token;
    }

    record Response(int status, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    Response send(Request request) throws IOException {
        try {
            return exchange(request);
        } catch (EOFException e) {
            // The server may have closed a connection that was kept; once more on a new one.
            close();
            return exchange(request);
        }
    }

    private Response exchange(Request request) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            open.connect(address, 5000);
            open.setSoTimeout(60_000);
            open.setTcpNoDelay(true);
            socket = open;
            in = new BufferedInputStream(open.getInputStream(), 65_536);
        }
        StringBuilder head = new StringBuilder();
        head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\n");
        head.append("Host: localhost\r\n");
        if (!request.headers().containsKey("Authorization")) {
            head.append("Authorization: Bearer ").append(token).append("\r\n");
        }
        request.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(request.body().length).append("\r\n\r\n");
        OutputStream out = open.getOutputStream();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        whole.writeBytes(request.body());
        try {
            out.write(whole.toByteArray());
            out.flush();
        } catch (IOException e) {
            // A server that has read enough answers and closes; what it said may still be there to read.
            if (open.getInputStream().available() == 0) {
                throw new EOFException();
            }
        }
        return read(request);
    }

    private Response read(Request request) throws IOException {
        InputStream from = in;
        if (from == null) {
            throw new EOFException();
        }
        String first = line(from);
        int status = Integer.parseInt(first.split(" ", 3)[1]);
        if (status == 100) {
            line(from);
            return read(request);
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(from); !line.isEmpty(); line = line(from)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        boolean none = request.method().equals("HEAD") || status == 304;
        byte[] body = none ? new byte[0] : from.readNBytes(length);
        if (headers.getOrDefault("connection", "").equalsIgnoreCase("close")) {
            close();
        }
        return new Response(status, headers, body);
    }

    private static String line(InputStream from) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = from.read();
            if (next < 0) {
                throw new EOFException();
            }
            if (next == '\n') {
                return line.toString();
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it is gone either way
            }
        }
    }
}
