package dev.homeport.server.tls;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts connections that failed before their first request and says why, but not for each of a flood. */
public final class HandshakeFailures {
    private static final Logger LOG = LoggerFactory.getLogger(HandshakeFailures.class);
    private static final long QUIET = Duration.ofSeconds(10).toNanos();

    private final AtomicLong count = new AtomicLong();
    private final AtomicLong said = new AtomicLong(System.nanoTime() - QUIET);

    public void failed(Throwable failure) {
        long number = count.incrementAndGet();
        long last = said.get();
        long now = System.nanoTime();
        if (now - last >= QUIET && said.compareAndSet(last, now)) {
            LOG.warn("a connection failed before its first request, number {} so far: {}", number, reason(failure));
        }
    }

    /** The deepest cause, as that is where an authority or an expiry is named. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < 10; depth++) {
            cause = cause.getCause();
        }
        return switch (cause) {
            // Its message is what was sent, and that may hold a token.
            case NotSslRecordException _ -> "the client does not speak TLS";
            case ClosedChannelException _ -> "the client closed it";
            default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        };
    }

    public long count() {
        return count.get();
    }
}
