package dev.homeport.server;

import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionSlot;
import dev.homeport.server.http.IdleConnections;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows the sockets that connections come in by, so that they can be closed before anything else is. Vert.x closes them
 * together with connections that it has accepted but not yet read from, and those requests would never be answered.
 */
final class AcceptGate {
    private final List<ServerChannel> channels = new CopyOnWriteArrayList<>();
    private final ConnectionLimits.Plane limits;
    private final IdleConnections idle;

    AcceptGate(ConnectionLimits.Plane limits, IdleConnections idle) {
        this.limits = limits;
        this.idle = idle;
    }

    /** Closes connections that are too many, and counts the others until they are closed. */
    private final class Admission extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Channel child = (Channel) message;
            boolean handedOver = false;
            try {
                String peer = child.remoteAddress() instanceof InetSocketAddress known
                        ? known.getAddress().getHostAddress()
                        : "";
                ConnectionSlot slot = limits.admit(peer, idle::evictOne);
                if (slot != null) {
                    slot.attach(child);
                    idle.add(child);
                    child.closeFuture().addListener(closed -> idle.remove(child));
                    handedOver = true;
                    ctx.fireChannelRead(child);
                }
            } finally {
                if (!handedOver) {
                    child.unsafe().closeForcibly();
                }
            }
        }
    }

    /** The best transport there is, through this gate. */
    Transport transport() {
        Transport best = Transport.nativeTransport();
        Transport real = best != null && best.available() ? best : Transport.NIO;
        io.vertx.core.spi.transport.Transport watched =
                proxy(io.vertx.core.spi.transport.Transport.class, real.implementation(), this::watched);
        return proxy(Transport.class, real, result -> result == real.implementation() ? watched : result);
    }

    /** Afterwards no client can connect. Runs on the loop that accepts, after it has accepted the waiting ones. */
    void close() {
        for (ServerChannel channel : channels) {
            channel.eventLoop().submit(() -> channel.close().isDone()).syncUninterruptibly();
            channel.closeFuture().syncUninterruptibly();
        }
    }

    private Object watched(Object result) {
        if (!(result instanceof ChannelFactory<?> factory)) {
            return result;
        }
        return (ChannelFactory<Channel>) () -> {
            Channel made = factory.newChannel();
            if (made instanceof ServerChannel server) {
                channels.add(server);
                // Before the handler of Vert.x, which registers what was accepted.
                server.pipeline().addLast(new Admission());
            }
            return made;
        };
    }

    private static <T> T proxy(Class<T> type, T target, java.util.function.UnaryOperator<Object> change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    try {
                        Object result = method.invoke(target, values);
                        return result == null ? null : change.apply(Objects.requireNonNull(result));
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                }));
    }
}
