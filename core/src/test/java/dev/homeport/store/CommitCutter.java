package dev.homeport.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy between a store and its PostgreSQL that cuts the connection at the next COMMIT when armed. */
final class CommitCutter implements AutoCloseable {
    /** When the cable breaks. */
    enum Cut {
        /** The server never hears of the commit. */
        BEFORE,
        /** The server commits, and the client gets no reply. */
        AFTER
    }

    private final ServerSocket door;
    private final String host;
    private final int port;
    private final AtomicReference<Cut> armed = new AtomicReference<>();

    CommitCutter(String jdbcUrl) throws IOException {
        URI server = URI.create(jdbcUrl.substring("jdbc:".length()));
        host = server.getHost();
        port = server.getPort();
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Without prepared statements, so that each COMMIT is sent by its name. */
    String through(String jdbcUrl) {
        String own = door.getInetAddress().getHostAddress() + ":" + door.getLocalPort();
        return jdbcUrl.replace(host + ":" + port, own) + "&prepareThreshold=0";
    }

    void arm(Cut cut) {
        armed.set(cut);
    }

    boolean isArmed() {
        return armed.get() != null;
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                Socket server = new Socket(host, port);
                Thread.ofVirtual().start(() -> requests(client, server));
                Thread.ofVirtual().start(() -> replies(client, server));
            } catch (IOException e) {
                if (!door.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void requests(Socket client, Socket server) {
        try (client;
                server) {
            InputStream in = client.getInputStream();
            OutputStream out = server.getOutputStream();
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                boolean commit = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("COMMIT");
                Cut cut = commit ? armed.getAndSet(null) : null;
                if (cut == Cut.BEFORE) {
                    return;
                }
                if (cut == Cut.AFTER) {
                    client.close(); // the reply is lost, but the server must finish
                }
                out.write(buffer, 0, n);
                out.flush();
                if (cut == Cut.AFTER) {
                    server.shutdownOutput();
                    server.getInputStream().transferTo(OutputStream.nullOutputStream());
                    return;
                }
            }
        } catch (IOException e) {
            // A cut connection, which is what this is for.
        }
    }

    private void replies(Socket client, Socket server) {
        try {
            server.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // As above.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
