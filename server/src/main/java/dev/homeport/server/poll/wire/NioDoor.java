package dev.homeport.server.poll.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** For systems without epoll. */
final class NioDoor extends ChannelInboundHandlerAdapter implements Door {
    private static final Logger LOG = LoggerFactory.getLogger(NioDoor.class);

    private final Intake intake;
    private final NioServerSocketChannel socket = new NioServerSocketChannel();

    private NioDoor(Intake intake) {
        this.intake = intake;
    }

    static NioDoor open(Intake intake, InetSocketAddress at, int backlog) {
        NioDoor door = new NioDoor(intake);
        door.socket.config().setOption(ChannelOption.SO_BACKLOG, backlog);
        door.socket.config().setOption(ChannelOption.SO_REUSEADDR, true);
        door.socket.pipeline().addLast(door);
        intake.events().register(door.socket).syncUninterruptibly();
        door.socket.bind(at).syncUninterruptibly();
        return door;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel child = (Channel) message;
        boolean handedOver = false;
        // Nothing is known of a peer that is gone already.
        String peer = child.remoteAddress() instanceof InetSocketAddress known
                ? known.getAddress().getHostAddress()
                : "";
        try {
            PollConnection connection = intake.connection(peer);
            if (connection.admit()) {
                handedOver = true;
                intake.register(child, connection);
            }
        } finally {
            if (!handedOver) {
                child.unsafe().closeForcibly();
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.warn("a connection could not be accepted: {}", cause.toString());
        ctx.channel().config().setAutoRead(false);
        Future<?> _ = ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), 1, TimeUnit.SECONDS);
    }

    @Override
    public int port() {
        return socket.localAddress().getPort();
    }

    @Override
    public void shut() {
        intake.events().submit(() -> socket.close().isDone()).syncUninterruptibly();
        socket.closeFuture().syncUninterruptibly();
    }
}
