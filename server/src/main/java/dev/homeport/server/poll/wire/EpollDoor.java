package dev.homeport.server.poll.wire;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.NativeInetAddress;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts by itself. A new connection whose request is there already is answered and closed at once: it never becomes a
 * channel of Netty's, which would cost more than all the rest.
 */
final class EpollDoor implements Door, EpollIoHandle {
    private static final Logger LOG = LoggerFactory.getLogger(EpollDoor.class);
    private static final EpollIoOps NOTHING = EpollIoOps.EPOLLIN.without(EpollIoOps.EPOLLIN);

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_DEFER_ACCEPT = 9;

    /** A connection is shown to us when its first bytes are there, or after this time: then it can be served at once. */
    private static final int DEFER_SECONDS = 1;

    /** Other work on this loop must get its turn as well. */
    private static final int AT_A_TIME = 64;

    private static final int PAUSE_MILLIS = 200;

    private final Intake intake;
    private final Listening socket;
    private volatile @Nullable IoRegistration registration;

    /** As accept writes it: a length, and an address with scope and port. */
    private final byte[] address = new byte[1 + 16 + 4 + 4 + 1];

    private EpollDoor(Intake intake, Listening socket) {
        this.intake = intake;
        this.socket = socket;
    }

    /** Shares its port with the other loops' doors. */
    private static final class Listening extends Socket {
        Listening(SocketProtocolFamily family) {
            super(newSocketStream0(family));
        }
    }

    static EpollDoor open(Intake intake, InetSocketAddress at, int backlog) throws IOException {
        // A wildcard stands for both families of addresses.
        boolean isOld = at.getAddress() instanceof Inet4Address
                && !(at.getAddress().isAnyLocalAddress() && Socket.isIPv6Preferred());
        Listening socket = new Listening(isOld ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6);
        EpollDoor door = new EpollDoor(intake, socket);
        try {
            socket.setReuseAddress(true);
            socket.setReusePort(true);
            socket.setIntOpt(IPPROTO_TCP, TCP_DEFER_ACCEPT, DEFER_SECONDS);
            socket.bind(at);
            socket.listen(backlog);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        IoRegistration registration = ((IoEventLoop) intake.events())
                .register(door)
                .syncUninterruptibly()
                .getNow();
        door.registration = registration;
        registration.submit(EpollIoOps.EPOLLIN);
        return door;
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public int port() {
        return socket.localAddress().getPort();
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        if (!((EpollIoEvent) event).ops().contains(EpollIoOps.EPOLLIN)) {
            return;
        }
        try {
            accept(AT_A_TIME);
        } catch (IOException e) {
            LOG.warn("a connection could not be accepted: {}", e.toString());
            pause(registration);
        } catch (Throwable e) {
            intake.loop().failed(e); // an Error would end the event loop
        }
    }

    /** Most likely there are too many open files: connections wait in the queue until some are closed. */
    private void pause(IoRegistration accepting) {
        accepting.submit(NOTHING);
        Future<?> _ = intake.events()
                .schedule(
                        () -> accepting.isValid() ? accepting.submit(EpollIoOps.EPOLLIN) : 0,
                        PAUSE_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private void accept(int most) throws IOException {
        for (int i = 0; i < most; i++) {
            int fd = socket.accept(address);
            if (fd < 0) {
                return;
            }
            take(new FileDescriptor(fd));
        }
    }

    /** Whatever happens, an accepted socket is closed here or belongs to a channel afterwards. */
    private void take(FileDescriptor accepted) {
        PollConnection connection = null;
        boolean handedOver = false;
        try {
            connection = intake.connection(NativeInetAddress.address(address, 1, address[0])
                    .getAddress()
                    .getHostAddress());
            if (intake.isPlain() && connection.serveAtOnce(accepted) || !connection.admit()) {
                return;
            }
            Channel channel = new EpollSocketChannel(accepted.intValue());
            handedOver = true;
            intake.register(channel, connection);
        } catch (IOException e) {
            LOG.debug("a connection broke", e);
        } catch (Throwable e) {
            LOG.error("a connection failed", e);
        } finally {
            if (!handedOver) {
                close(accepted, connection);
            }
        }
    }

    private static void close(FileDescriptor accepted, @Nullable PollConnection connection) {
        try {
            accepted.close();
        } catch (IOException e) {
            LOG.debug("a connection was reset", e);
        } finally {
            if (connection != null) {
                connection.gone();
            }
        }
    }

    @Override
    public void shut() {
        intake.events().submit(this::takeLastAndClose).syncUninterruptibly();
    }

    private boolean takeLastAndClose() throws IOException {
        try {
            accept(Integer.MAX_VALUE);
        } finally {
            close();
        }
        return true;
    }

    /** The event loop does this too, when it ends. */
    @Override
    public void close() throws IOException {
        IoRegistration known = registration;
        if (known != null) {
            known.cancel();
        }
        socket.close();
    }
}
