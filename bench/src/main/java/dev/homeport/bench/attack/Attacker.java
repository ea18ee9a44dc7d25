package dev.homeport.bench.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;

/** An attacker with its own loopback address, so that limits per address apply to it alone; behind NAT it shares the clusters' address. */
record Attacker(InetAddress address) {
    private static final int TIMEOUT_MILLIS = 10_000;

    static Attacker at(boolean nat) {
        return new Attacker(InetAddress.ofLiteral(nat ? "127.0.0.1" : "127.0.0.2"));
    }

    private Socket socket(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.bind(new InetSocketAddress(address, 0));
            socket.connect(server, TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    SocketChannel channel(InetSocketAddress server) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(address, 0));
            channel.socket().connect(server, TIMEOUT_MILLIS);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Sends something and resets the connection. */
    void reset(InetSocketAddress server, byte[] request) throws IOException {
        try (Socket socket = socket(server)) {
            socket.getOutputStream().write(request);
            socket.setSoLinger(true, 0);
        }
    }

    /** @param waits whether the answer is read, or the connection ended at once */
    void ask(InetSocketAddress server, byte[] request, boolean waits) throws IOException {
        try (Socket socket = socket(server)) {
            socket.getOutputStream().write(request);
            if (waits) {
                InputStream in = socket.getInputStream();
                if (in.read() >= 0) {
                    in.skip(in.available());
                }
            }
        }
    }

    /** Every fourth one sends garbage instead of a hello. */
    void handshake(InetSocketAddress server, int number) throws IOException {
        if (number % 4 == 3) {
            ask(server, "\u0016\u0003\u0001\u00ff\u00ff garbage".getBytes(StandardCharsets.ISO_8859_1), true);
            return;
        }
        try (Socket plain = socket(server);
                SSLSocket socket = (SSLSocket)
                        TrustAll.CONTEXT.getSocketFactory().createSocket(plain, "localhost", server.getPort(), false)) {
            socket.startHandshake();
        }
    }
}
