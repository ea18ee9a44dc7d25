package dev.homeport.store;

import dev.homeport.change.StoreUnavailable;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few connections, opened when first needed. With one place it is also the lock of the only writer. */
final class Connections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int WAIT_SECONDS = 60;

    private final Opener opener;
    private final Semaphore places;
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Connections(int places, Opener opener) {
        this.opener = opener;
        this.places = new Semaphore(places, true);
    }

    Session take() throws SQLException {
        awaitPlace();
        try {
            if (closed) {
                throw new IllegalStateException("the store is closed");
            }
            Session session = idle.pollFirst();
            return session != null ? session : opener.open();
        } catch (SQLException | RuntimeException e) {
            places.release();
            throw e;
        }
    }

    void giveBack(Session session) {
        idle.addFirst(session);
        places.release();
        if (closed) {
            closeIdle();
        }
    }

    /** Gives back a session that failed. The others may have failed with it, so none is used again. */
    void discard(Session session) {
        close(session);
        closeIdle();
        places.release();
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }

    private void awaitPlace() {
        try {
            if (!places.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                String busy = "every connection was busy for " + WAIT_SECONDS + " seconds";
                throw new StoreUnavailable(busy, new TimeoutException(busy));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable("interrupted while waiting for a connection", e);
        }
    }

    private void closeIdle() {
        for (@Nullable Session session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
            close(session);
        }
    }

    private static void close(Session session) {
        try {
            session.close();
        } catch (SQLException e) {
            LOG.debug("a connection did not close", e);
        }
    }

    /** Opens a connection and sets it up. */
    @FunctionalInterface
    interface Opener {
        Session open() throws SQLException;
    }
}
