package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.Rights;
import dev.homeport.api.ErrorCode;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Credentials;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.Routes;
import dev.homeport.server.poll.PollListener;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.write.ConfirmationRequired;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin plane's requests: who is calling is settled before a body is read, and each call gets a thread that may block. */
public final class AdminListener {
    private static final Logger LOG = LoggerFactory.getLogger(AdminListener.class);
    private static final int MAX_BODY = 8 * 1024 * 1024;

    private final Routes routes;
    private final PollListener polls;
    private final LogFollower follower;
    private final Identification identification;
    private final Rights rights;
    private final InstantSource clock;
    private final ExecutorService threads;
    private final AtomicLong requests = new AtomicLong();

    public AdminListener(
            Routes routes,
            PollListener polls,
            LogFollower follower,
            Identification identification,
            Rights rights,
            InstantSource clock,
            ExecutorService threads) {
        this.routes = routes;
        this.polls = polls;
        this.follower = follower;
        this.identification = identification;
        this.rights = rights;
        this.clock = clock;
        this.threads = threads;
    }

    public void handle(HttpServerRequest request) {
        String path = request.path();
        if (path != null && PollListener.isMine(path)) {
            polls.handle(request);
            return;
        }
        String requestId = requestId(request);
        try {
            route(request, path == null ? "" : path, requestId);
        } catch (RuntimeException e) {
            Replying.send(request, failure(e, requestId));
        }
    }

    private void route(HttpServerRequest request, String path, String requestId) {
        String method = request.method().name().equals("HEAD")
                ? "GET"
                : request.method().name();
        Optional<Routes.Match> match = routes.find(method, path);
        if (match.isEmpty()) {
            Set<String> methods = routes.methods(path);
            Reply reply = methods.isEmpty()
                    ? ProblemReply.of(ErrorCode.NOT_FOUND, "there is nothing here", "see /openapi.json", requestId)
                    : ProblemReply.of(
                                    ErrorCode.METHOD_NOT_ALLOWED,
                                    method + " is not possible here",
                                    "use one of " + String.join(", ", methods),
                                    requestId)
                            .with("Allow", String.join(", ", methods));
            Replying.send(request, reply);
            return;
        }
        Route route = match.get().route();
        Caller caller = caller(request, route);
        String length = request.getHeader("Content-Length");
        if (length != null && (length.length() > 9 || Long.parseLong(length) > MAX_BODY)) {
            throw tooLarge();
        }
        Context context = Objects.requireNonNull(Vertx.currentContext(), "not on an event loop");
        BoundedBody.read(
                request,
                MAX_BODY,
                body -> threads.execute(() -> {
                    Reply reply = answer(request, path, method, match.get(), caller, body, requestId);
                    context.runOnContext(nothing -> Replying.send(request, reply.with("Homeport-Request", requestId)));
                }),
                () -> Replying.send(request, failure(tooLarge(), requestId)));
    }

    private Reply answer(
            HttpServerRequest request,
            String path,
            String method,
            Routes.Match match,
            Caller caller,
            Buffer body,
            String requestId) {
        try {
            return match.route()
                    .handler()
                    .handle(new Call(
                            method,
                            path,
                            match.parameters(),
                            request.params(),
                            request.headers(),
                            body.getBytes(),
                            caller,
                            requestId,
                            request.remoteAddress() == null
                                    ? ""
                                    : request.remoteAddress().hostAddress()));
        } catch (Exception e) {
            return failure(e, requestId);
        }
    }

    private Caller caller(HttpServerRequest request, Route route) {
        if (route.needs() == Route.Needs.NOTHING) {
            return Caller.internal(new dev.homeport.access.Actor(dev.homeport.access.Actor.Kind.PERSON, "anonymous"));
        }
        Caller caller = Credentials.token(request.getHeader("Authorization"))
                .flatMap(token -> identification.identify(follower.live().current(), token, clock.instant()))
                .orElseThrow(() -> ProblemException.refused(
                        ErrorCode.UNAUTHENTICATED, "the token is missing or not valid", "send a token as a bearer"));
        boolean allowed = route.needs() == Route.Needs.TOKEN || rights.mayRead(caller);
        if (!allowed) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN, caller.actor() + " may not use this", "use a token with more rights");
        }
        return caller;
    }

    private static Reply failure(Exception failure, String requestId) {
        return switch (failure) {
            case ConfirmationRequired confirmation -> PlanReply.confirmation(confirmation, requestId);
            case ProblemException problem -> ProblemReply.of(problem.problem(), requestId);
            case StoreUnavailable unavailable -> {
                LOG.warn("request {}: {}", requestId, unavailable.getMessage());
                yield ProblemReply.of(
                        ErrorCode.UNAVAILABLE, "the store does not answer", "try again; nothing is lost", requestId);
            }
            default -> {
                LOG.error("request {} failed", requestId, failure);
                yield ProblemReply.of(
                        ErrorCode.INTERNAL,
                        "something went wrong here; the server's log has it under this request's id",
                        "try again, and tell an operator the id",
                        requestId);
            }
        };
    }

    private static ProblemException tooLarge() {
        return ProblemException.refused(
                ErrorCode.TOO_LARGE, "the body is larger than " + MAX_BODY + " bytes", "send less at once");
    }

    /** The caller's own id, if it is a decent one, so that a trace can be followed across systems. */
    private String requestId(HttpServerRequest request) {
        String given = request.getHeader("X-Request-Id");
        return given != null && given.matches("[A-Za-z0-9._-]{1,64}")
                ? given
                : "r" + Long.toString(clock.millis(), 36) + "-" + requests.incrementAndGet();
    }
}
