package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.BoundedBody;
import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.Connections;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.StrictHandler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads bodies of requests whose caller is known, as large as that caller may send them. */
final class RequestBodies {
    private static final int MIB = 1024 * 1024;
    private static final int MAX_BODY = 8 * MIB;
    private static final int MAX_ANONYMOUS_BODY = 64 * 1024;

    /** Bodies of these methods have no meaning, and are not kept. */
    private static final Set<String> NOT_KEPT = Set.of("GET", "HEAD", "DELETE");

    private final Services services;

    /** For bodies that only an import has. */
    private final Semaphore large = new Semaphore(1);

    RequestBodies(Services services) {
        this.services = services;
    }

    /** The result of reading a body; one of both is called, once, unless the connection ends before. */
    interface Receiver {
        /** @param done is to be called when the body is not used any more */
        void whole(Buffer body, Runnable done);

        void refused(ProblemException why);
    }

    /** Throws when the body is refused for what its head says. */
    void read(HttpServerRequest request, Route route, Caller caller, Receiver receiver) {
        int most = limit(route, caller);
        String length = request.getHeader("Content-Length");
        if (length != null && (length.length() > 9 || Long.parseLong(length) > most)) {
            throw tooLarge(most);
        }
        boolean isKept = !NOT_KEPT.contains(request.method().name());
        boolean isLarge = isKept && most > MAX_BODY && (length == null || Long.parseLong(length) > MAX_BODY);
        ByteBudget.Lease lease = BoundedBody.lease(request, services.connections());
        Runnable done = isLarge ? inTurn(request, lease) : lease::close;
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
            request.response().writeContinue();
        }
        BoundedBody.Outcome outcome = new BoundedBody.Outcome(
                body -> receiver.whole(body, done),
                () -> receiver.refused(tooLarge(most)),
                () -> receiver.refused(noMemory()),
                done);
        if (isKept) {
            BoundedBody.read(request, most, lease, outcome);
        } else {
            BoundedBody.skip(request, most, outcome);
        }
    }

    /** Without a token a body is hardly read at all; the largest are for callers who may import a fleet. */
    private int limit(Route route, Caller caller) {
        if (route.needs() == Route.Needs.NOTHING) {
            return MAX_ANONYMOUS_BODY;
        }
        int most = route.handler() instanceof StrictHandler strict ? strict.maxBody() : MAX_BODY;
        return most > MAX_BODY && !services.powers(caller).isPlatformAdmin() ? MAX_BODY : most;
    }

    /** One such body at a time; what is returned gives back its turn, however the request ends. */
    private Runnable inTurn(HttpServerRequest request, ByteBudget.Lease lease) {
        if (!large.tryAcquire()) {
            throw ProblemException.refused(
                    ErrorCode.TOO_MANY_REQUESTS, "another import is being received", "try again when it is finished");
        }
        AtomicBoolean returned = new AtomicBoolean();
        Runnable done = () -> {
            lease.close();
            if (returned.compareAndSet(false, true)) {
                large.release();
            }
        };
        Connections.whenClosed(request.connection(), done);
        return done;
    }

    private static ProblemException tooLarge(int most) {
        return ProblemException.refused(
                ErrorCode.TOO_LARGE, "the body is larger than " + most + " bytes", "send less at once");
    }

    private ProblemException noMemory() {
        ByteBudget budget = services.connections().bytes();
        return ProblemException.refused(
                ErrorCode.UNAVAILABLE,
                "the body does not fit into the memory for requests, of which " + budget.used() / MIB + " of "
                        + budget.limit() / MIB + " MiB are in use",
                "send less at once, try again later, or raise request_memory_mib");
    }
}
