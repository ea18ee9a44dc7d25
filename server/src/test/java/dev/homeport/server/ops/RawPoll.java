package dev.homeport.server.ops;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One request on a connection of its own, as Flux makes it. */
final class RawPoll {
    private RawPoll() {}

    /**
     * A refused connection is not an answer that was cut off: nothing was sent.
     *
     * @param revision the end of the log that the answer was made from, 0 if it does not say
     */
    record Answer(int status, String body, long revision) {
        static final Answer REFUSED = new Answer(-1, "", 0);
        static final Answer CUT = new Answer(0, "", 0);
    }

    static Answer get(String base, String path, String token) {
        return send("GET", base, path, token);
    }

    static Answer send(String method, String base, String path, String token) {
        URI uri = URI.create(base);
        try (Socket socket = new Socket()) {
            try {
                socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), 5_000);
            } catch (IOException e) {
                return Answer.REFUSED;
            }
            socket.setSoTimeout(20_000);
            String request = method + " " + path + " HTTP/1.1\r\nHost: " + uri.getAuthority()
                    + "\r\nAuthorization: Bearer " + token
                    + "\r\nUser-Agent: flux-operator/test\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Answer.CUT;
        }
    }

    private static Answer parse(String text) {
        int end = text.indexOf("\r\n\r\n");
        if (end < 0 || !text.startsWith("HTTP/1.1 ")) {
            return Answer.CUT;
        }
        int status = Integer.parseInt(text.substring(9, 12));
        String body = text.substring(end + 4);
        long revision = 0;
        for (String line : text.substring(0, end).split("\r\n", -1)) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")
                    && Integer.parseInt(line.substring(15).strip()) != body.getBytes(StandardCharsets.UTF_8).length) {
                return Answer.CUT;
            }
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("homeport-revision:")) {
                revision = Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return new Answer(status, body, revision);
    }
}
