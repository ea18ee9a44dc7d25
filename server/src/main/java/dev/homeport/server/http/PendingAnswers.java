package dev.homeport.server.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts answers of the admin plane from when they are sent until their readers have taken them. */
public final class PendingAnswers {
    /** Up to here an answer is sent before it is counted: most readers have taken it at once, and refusals must get out. */
    private static final int SMALL = 64 * 1024;

    private PendingAnswers() {}

    private static Optional<ConnectionLimits.Plane> plane(HttpConnection connection) {
        return Connections.channel(connection).flatMap(ConnectionSlot::of).map(ConnectionSlot::plane);
    }

    /** Why a request is not even begun: its answer could not be sent. */
    public static Optional<Reply> shortage(HttpServerRequest request) {
        return plane(request.connection())
                .filter(ConnectionLimits.Plane::isOverdrawn)
                .map(plane -> plane.allAnswers().exhausted());
    }

    /**
     * Sends an answer, unless it is a large one and there is no memory for it; then returns what to say instead.
     *
     * @param canBeRefused false for the answer to a write, which was done
     */
    static Optional<Reply> send(
            HttpServerRequest request, int bytes, boolean canBeRefused, Supplier<Future<Void>> sending) {
        Optional<ConnectionLimits.Plane> plane = plane(request.connection());
        if (plane.isEmpty() || bytes == 0) {
            Future<Void> _ = sending.get();
            return Optional.empty();
        }
        ByteBudget.Lease lease = plane.get().answersOfPeople();
        // One that is larger than all of the memory is sent when it is the only one.
        long needed = Math.min(bytes, plane.get().allAnswers().largest());
        if (bytes <= SMALL) {
            Future<Void> sent = sending.get();
            if (!sent.isComplete() && !lease.resize(needed)) {
                Connections.cut(request.connection());
            }
            sent.onComplete(taken -> lease.close());
            return Optional.empty();
        }
        if (!lease.resize(needed)) {
            if (canBeRefused) {
                return Optional.of(plane.get().allAnswers().exhausted());
            }
            lease.force(needed);
        }
        sending.get().onComplete(taken -> lease.close());
        // Should the connection end in a way that leaves the answer undecided.
        Connections.whenClosed(request.connection(), lease::close);
        return Optional.empty();
    }
}
