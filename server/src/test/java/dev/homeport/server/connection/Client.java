package dev.homeport.server.connection;

import dev.homeport.server.config.Address;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A connection that sends what it likes and ends as it likes. */
final class Client implements AutoCloseable {
    private static final int READ_MILLIS = 60_000;

    private final Socket socket;
    private Socket talking;

    private Client(Socket socket) {
        this.socket = socket;
        this.talking = socket;
    }

    static Client connect(Address address) throws IOException {
        return connect(address, 0);
    }

    /** @param receiveBuffer small for a client that does not read */
    static Client connect(Address address, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(address.host(), address.port()), READ_MILLIS);
            socket.setSoTimeout(READ_MILLIS);
            return new Client(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    Client send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Client send(byte[] bytes) throws IOException {
        talking.getOutputStream().write(bytes);
        talking.getOutputStream().flush();
        return this;
    }

    /** From here on everything is sent encrypted. */
    Client handshake() throws IOException {
        SSLSocket tls = (SSLSocket) trusting()
                .getSocketFactory()
                .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
        tls.startHandshake();
        talking = tls;
        return this;
    }

    /** The first message of a handshake. */
    static byte[] hello() throws IOException {
        SSLEngine engine = trusting().createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    private static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** An answer's head, and the start of its body if that came along. */
    String answer() throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        InputStream in = talking.getInputStream();
        while (!got.toString(StandardCharsets.ISO_8859_1).contains("\r\n\r\n")) {
            int length = in.read(part);
            if (length < 0) {
                throw new IOException("closed after " + got);
            }
            got.write(part, 0, length);
        }
        return got.toString(StandardCharsets.ISO_8859_1);
    }

    /** Everything until the server closes the connection, however it does. */
    String rest() {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        byte[] part = new byte[65_536];
        try {
            for (int n = talking.getInputStream().read(part);
                    n >= 0;
                    n = talking.getInputStream().read(part)) {
                got.write(part, 0, n);
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("still open after " + got, e);
        } catch (IOException e) {
            return got.toString(StandardCharsets.ISO_8859_1);
        }
        return got.toString(StandardCharsets.ISO_8859_1);
    }

    /** Beneath whatever encryption there is. */
    Client sendRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    void finish() throws IOException {
        socket.shutdownOutput();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
