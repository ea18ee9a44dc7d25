package dev.homeport.server.poll.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Supplier;

/** Takes in the connections of one event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // the close future tells
record Intake(EventLoop events, Loop loop, PollServer.Plane plane) {
    /** Longer than a poll's head, so that one read takes it whole. */
    private static final FixedRecvByteBufAllocator READS = new FixedRecvByteBufAllocator(2048);

    /** One that is yet to begin. */
    PollConnection connection(String peer) {
        return new PollConnection(loop, plane, peer);
    }

    /** Whether requests come as they are, first of all. */
    boolean isPlain() {
        return plane.tls().isEmpty() && !plane.proxyHeader();
    }

    /** From now on the channel owns the connection, and closing it gives back everything that belongs to it. */
    void register(Channel channel, PollConnection connection) {
        channel.closeFuture().addListener(closed -> connection.gone());
        try {
            configure(channel, connection);
        } catch (Throwable e) {
            closeUnregistered(channel, connection);
            throw e;
        }
        events.register(channel).addListener(done -> {
            if (!done.isSuccess()) {
                closeUnregistered(channel, connection);
            } else if (!channel.isActive()) {
                // A peer that has reset the connection meanwhile leaves a channel without a close event. It is closed
                // when it is registered completely, so that it leaves nothing in the event loop.
                events.execute(channel::close);
            }
        });
    }

    private static void closeUnregistered(Channel channel, PollConnection connection) {
        try {
            channel.unsafe().closeForcibly();
        } finally {
            connection.gone();
        }
    }

    private void configure(Channel channel, PollConnection connection) {
        channel.config().setAllocator(loop.allocator);
        channel.config().setRecvByteBufAllocator(READS);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, plane.tls().isEmpty());
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        if (plane.proxyHeader()) {
            channel.pipeline().addLast(new HAProxyMessageDecoder());
        }
        plane.tls().ifPresent(context -> channel.pipeline().addLast(tls(context)));
        channel.pipeline().addLast(connection);
    }

    /** Without timers of its own: the loop closes connections that make no progress. */
    private SslHandler tls(Supplier<SslContext> context) {
        SslHandler handler = context.get().newHandler(loop.allocator);
        handler.setHandshakeTimeoutMillis(0);
        handler.setCloseNotifyFlushTimeoutMillis(0);
        return handler;
    }
}
