package dev.homeport.server.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Stands between a server and its database. While it is cut, no byte passes and no connection is closed, so neither side notices. */
final class PartitionProxy implements AutoCloseable {
    private final ServerSocket socket;
    private final int behind;
    private boolean cut;

    PartitionProxy(int behind) throws IOException {
        this.behind = behind;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    synchronized void cut(boolean now) {
        cut = now;
        notifyAll();
    }

    private synchronized void awaitWhole() throws InterruptedException {
        while (cut) {
            wait();
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return; // the test is over
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitWhole();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), behind);
            Thread.ofVirtual().start(() -> forward(client, server));
            forward(server, client);
        } catch (IOException | InterruptedException e) {
            close(client);
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] some = new byte[1 << 14];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                awaitWhole();
                out.write(some, 0, read);
            }
        } catch (IOException | InterruptedException e) {
            // both ends are closed below
        }
        close(from);
        close(to);
    }

    private static void close(Socket one) {
        try {
            one.close();
        } catch (IOException e) {
            // it is gone anyway
        }
    }

    @Override
    public void close() throws IOException {
        cut(false);
        socket.close();
    }
}
