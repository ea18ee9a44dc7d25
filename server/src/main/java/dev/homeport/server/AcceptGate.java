package dev.homeport.server;

import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows the sockets that connections come in by, so that they can be closed before anything else is. Vert.x closes them
 * together with connections that it has accepted but not yet read from, and those requests would never be answered.
 */
final class AcceptGate {
    private final List<ServerChannel> channels = new CopyOnWriteArrayList<>();

    /** The best transport there is, through this gate. */
    Transport transport() {
        Transport best = Transport.nativeTransport();
        Transport real = best != null && best.available() ? best : Transport.NIO;
        io.vertx.core.spi.transport.Transport watched =
                proxy(io.vertx.core.spi.transport.Transport.class, real.implementation(), this::watched);
        return proxy(Transport.class, real, result -> result == real.implementation() ? watched : result);
    }

    /** Afterwards nobody can connect. Runs on the loop that accepts, after it has accepted who was waiting. */
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
        return (ChannelFactory<io.netty.channel.Channel>) () -> {
            io.netty.channel.Channel made = factory.newChannel();
            if (made instanceof ServerChannel server) {
                channels.add(server);
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
