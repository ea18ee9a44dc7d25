package dev.homeport.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets callers wait for news. Appends of this process are known at once; a thread, started by the first caller, asks the
 * database about those of others. It outlives any loss of the connection.
 */
final class HeadWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadWatch.class);
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 500;

    private final Opener opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private long known = -1;
    private boolean closed;
    private @Nullable Thread thread;
    private @Nullable Source source;
    private volatile HeadWatchListener listener = HeadWatchListener.NONE;

    HeadWatch(Opener opener) {
        this.opener = opener;
    }

    void awaitBeyond(long revision, Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            startOnce();
            long left = nanos(atMost);
            while (known <= revision && left > 0 && !closed) {
                left = moved.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts the thread if it does not run, and reports its turns from now on. */
    void reportTo(HeadWatchListener reported) {
        listener = reported;
        lock.lock();
        try {
            startOnce();
        } finally {
            lock.unlock();
        }
    }

    boolean isRunning() {
        lock.lock();
        try {
            return thread != null && thread.isAlive();
        } finally {
            lock.unlock();
        }
    }

    void appended(long revision) {
        lock.lock();
        try {
            known = Math.max(known, revision);
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
            if (source != null) {
                source.close();
            }
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void startOnce() {
        if ((thread == null || !thread.isAlive()) && !closed) {
            thread = Thread.ofPlatform().daemon().name("homeport-head").start(this::run);
        }
    }

    private void run() {
        while (!isClosed()) {
            try (Source opened = opener.open()) {
                use(opened);
                while (!isClosed()) {
                    publish(opened.next());
                    listener.turned();
                }
            } catch (InterruptedException e) {
                return; // by close, which is the only one that knows this thread
            } catch (SQLException | RuntimeException e) {
                listener.turned(); // a database out of reach is no fault of this thread
                if (!isClosed()) {
                    LOG.debug("cannot watch the head; will try again", e);
                    pause();
                }
            } catch (Error e) {
                LOG.error("watching the head failed and goes on", e);
                listener.failed(e);
                pause();
            }
        }
    }

    private void use(Source opened) {
        lock.lock();
        try {
            source = opened;
        } finally {
            lock.unlock();
        }
    }

    /** The database's revision counts, also when it goes backwards: then it was restored. */
    private void publish(long revision) {
        lock.lock();
        try {
            known = revision;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        } catch (InterruptedException e) {
            LOG.debug("woken to stop");
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? duration.toNanos() : Long.MAX_VALUE;
    }

    /** A connection that is notified of new revisions, or queries for them. */
    interface Source extends AutoCloseable {
        /** The head: at once when asked first, later when there is news or after the poll interval. */
        long next() throws SQLException, InterruptedException;

        /** Also ends a {@link #next} under way. */
        @Override
        void close();
    }

    /** Connects. */
    @FunctionalInterface
    interface Opener {
        Source open() throws SQLException;
    }
}
