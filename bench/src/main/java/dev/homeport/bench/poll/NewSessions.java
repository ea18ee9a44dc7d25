package dev.homeport.bench.poll;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shows that a server takes up no TLS session again, so that each new connection pays for its whole handshake. */
final class NewSessions {
    private NewSessions() {}

    /** Connects twice, the second time with what could be kept of the first. */
    static void prove(String name, URI base) throws IOException, InterruptedException {
        Path session = Files.createTempFile("session", ".pem");
        try {
            String first = connect(base, List.of("-sess_out", session.toString()));
            boolean kept = Files.size(session) > 0;
            String second = connect(base, kept ? List.of("-sess_in", session.toString()) : List.of());
            int tickets = (first + second).split("New Session Ticket arrived", -1).length - 1;
            boolean isNew = second.contains("New, TLSv1.3") && !second.contains("Reused, TLSv1.3");
            System.out.println(name + ": " + tickets + " session tickets in two connections; the second was "
                    + (!kept ? "given nothing to resume" : isNew ? "not resumed" : "resumed"));
            if (!isNew) {
                throw new IllegalStateException(name + " resumes sessions: the comparison would not be one");
            }
        } finally {
            Files.delete(session);
        }
    }

    private static String connect(URI base, List<String> more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-tls1_3", "-ign_eof", "-connect"));
        command.add(base.getHost() + ":" + base.getPort());
        command.addAll(more);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        process.waitFor();
        if (!out.contains("HTTP/1.")) {
            throw new IOException("no answer from " + base + ": " + out);
        }
        return out;
    }
}
