package dev.homeport.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sockets that offer only one key exchange, X25519. Java would create a key for a second one as well, which takes a cold JVM
 * a tenth of a second and which nearly every server ignores. If the server refuses, all key exchanges are offered, see {@link
 * #offerAll}.
 */
final class QuickSockets extends SSLSocketFactory {
    private static final String[] ONE = {"x25519"};

    /** Made once for the same files, because that takes longer than a request does. */
    private static final Map<TlsFiles, QuickSockets> MADE = new ConcurrentHashMap<>();

    private final SSLContext context;
    private final SSLSocketFactory sockets;
    private volatile boolean all;

    private QuickSockets(SSLContext context) {
        this.context = context;
        this.sockets = context.getSocketFactory();
    }

    static QuickSockets with(TlsFiles files) {
        return MADE.computeIfAbsent(files, read -> new QuickSockets(context(read)));
    }

    private static SSLContext context(TlsFiles files) {
        try {
            Optional<SSLContext> own = files.context();
            return own.isPresent() ? own.get() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new UncheckedIOException("TLS does not work here: " + e.getMessage(), new IOException(e));
        }
    }

    /** From now on; returns whether that is more than before. */
    boolean offerAll() {
        boolean before = all;
        all = true;
        return !before;
    }

    /** Starts a handshake without a peer, so that the classes it needs are loaded. */
    void warmUp() throws IOException {
        SSLEngine engine = context.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        engine.setSSLParameters(chosen(engine.getSSLParameters()));
        engine.beginHandshake();
        var _ = engine.wrap(
                ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
    }

    private SSLParameters chosen(SSLParameters parameters) {
        if (!all) {
            parameters.setNamedGroups(ONE);
        }
        return parameters;
    }

    private Socket chosen(Socket socket) {
        SSLSocket secure = (SSLSocket) socket;
        secure.setSSLParameters(chosen(secure.getSSLParameters()));
        return secure;
    }

    @Override
    public Socket createSocket() throws IOException {
        return chosen(sockets.createSocket());
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return chosen(sockets.createSocket(socket, host, port, autoClose));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return chosen(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return chosen(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return chosen(sockets.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return chosen(sockets.createSocket(host, port, local, localPort));
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }
}
