package dev.homeport.api;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The time by which the whole answer must have arrived. A socket's own timeout restarts with every byte that is received.
 *
 * @param within unless the address says otherwise
 */
record Deadline(ServerAddress address, Duration within) {
    Deadline {
        within = address.patience().orElse(within);
    }

    /**
     * In a thread of its own, because a read of a socket cannot be called off. What is left of it ends with its next byte or its
     * socket's timeout.
     */
    <T> T of(String method, Supplier<T> exchange) {
        FutureTask<T> task = new FutureTask<>(exchange::get);
        Thread.ofPlatform().daemon().name("exchange").start(task);
        try {
            return task.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw address.tooSlow(method, within, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw address.unreachable(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error fault) {
                throw fault;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } finally {
            task.cancel(true);
        }
    }
}
