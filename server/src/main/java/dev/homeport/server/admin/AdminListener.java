package dev.homeport.server.admin;

import dev.homeport.access.Caller;
import dev.homeport.api.CliVersions;
import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.compat.RootErrors;
import dev.homeport.server.http.Answered;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.MalformedRequest;
import dev.homeport.server.http.PendingAnswers;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.Route;
import dev.homeport.server.http.Routes;
import dev.homeport.server.http.SpelledPath;
import dev.homeport.server.http.StreamOutput;
import dev.homeport.server.http.VertxRequest;
import dev.homeport.server.poll.PollListener;
import dev.homeport.server.poll.wire.Pages;
import dev.homeport.server.tracing.Tracing;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The admin plane's requests: the caller is authenticated before a body is read, and each call gets a thread that may block.
 */
public final class AdminListener {
    private final Routes routes;
    private final PollListener polls;
    private final InstantSource clock;
    private final Authenticator authenticator;
    private final ExecutorService threads;
    private final ExpensiveRequests expensive;
    private final Tracing tracing;
    private final Answered.Watch watch;
    private final AtomicLong requests = new AtomicLong();
    private final RequestBodies bodies;
    private volatile boolean closing;

    public AdminListener(
            Routes routes,
            PollListener polls,
            InstantSource clock,
            Authenticator authenticator,
            ExecutorService threads,
            ExpensiveRequests expensive,
            Services services,
            Tracing tracing,
            Answered.Watch watch) {
        this.routes = routes;
        this.polls = polls;
        this.clock = clock;
        this.authenticator = authenticator;
        this.threads = threads;
        this.expensive = expensive;
        this.bodies = new RequestBodies(services);
        this.tracing = tracing;
        this.watch = watch;
    }

    /** A request on its way to an answer. */
    private record Exchange(
            HttpServerRequest request, String method, String path, String id, long begun, Tracing.Request trace) {}

    public void handle(HttpServerRequest request) {
        String path = request.path();
        if (MalformedRequest.isAmbiguous(request)) {
            MalformedRequest.refuse(request);
            return;
        }
        if (path != null && PollListener.isMine(path)) {
            polls.handle(request);
            return;
        }
        request.response().putHeader(CliVersions.HEADER, CliVersions.SUPPORTED.header());
        String method = request.method().equals(HttpMethod.HEAD)
                ? HttpMethod.GET.name()
                : request.method().name();
        Exchange exchange = new Exchange(
                request,
                method,
                path == null ? "" : SpelledPath.plain(path),
                requestId(request.getHeader("X-Request-Id")),
                System.nanoTime(),
                tracing.begun(new VertxRequest(request), method));
        Optional<Routes.Match> match = routes.find(method, exchange.path());
        if (match.isEmpty()) {
            send(exchange, Answered.NO_ROUTE, "", nothingHere(exchange));
            return;
        }
        try {
            admit(exchange, match.get(), Objects.requireNonNull(Vertx.currentContext(), "not on an event loop"));
        } catch (RuntimeException | Error e) {
            send(exchange, match.get().route().id(), "", FailureReply.of(e, exchange.id()));
        }
    }

    /** Before the server stops: streams have no end of their own. */
    public void endStreams() {
        closing = true;
    }

    /** What a reader finds here, for a plane that brings its own HTTP. Nothing of it takes a query or is a stream. */
    public Pages pages() {
        return new Pages() {
            @Override
            public boolean has(String path) {
                return !PollListener.isMine(path) && routes.find("GET", path).isPresent();
            }

            @Override
            public void show(RequestView request, Consumer<Reply> then) {
                Visit visit = visit(request);
                threads.execute(() -> then.accept(page(visit)));
            }
        };
    }

    /** The request, its caller, and when it began. */
    private record Visit(Authenticator.Asker asker, Routes.Match match, long begun, Tracing.Request trace) {}

    private Visit visit(RequestView request) {
        String path = Objects.requireNonNull(request.path(), "a page has a path");
        Authenticator.Asker asker = new Authenticator.Asker(
                "GET",
                path,
                request.header("authorization"),
                authenticator.address(request),
                requestId(request.header("x-request-id")));
        return new Visit(
                asker, routes.find("GET", path).orElseThrow(), System.nanoTime(), tracing.begun(request, "GET"));
    }

    private Reply page(Visit visit) {
        Route route = visit.match().route();
        String actor = "";
        Reply reply;
        try (Tracing.Part _ = visit.trace().enter()) {
            Caller caller = authenticator.byToken(visit.asker(), route);
            actor = caller.actor().toString();
            MultiMap none = MultiMap.caseInsensitiveMultiMap();
            Call call = new Call(
                    "GET",
                    visit.asker().path(),
                    visit.match().parameters(),
                    none,
                    none,
                    new byte[0],
                    caller,
                    visit.asker().requestId(),
                    visit.asker().address());
            WorkBudget budget = expensive.budget();
            reply = budget.during(() -> handle(route, call, budget));
        } catch (Exception | Error e) {
            reply = FailureReply.of(e, visit.asker().requestId());
        }
        visit.trace().answered(route.id(), reply.status(), actor);
        watch.accept(new Answered(
                "GET",
                route.id(),
                visit.asker().path(),
                reply.status(),
                System.nanoTime() - visit.begun(),
                actor,
                visit.asker().requestId(),
                visit.asker().address()));
        return FailureReply.hinted(reply).with("Homeport-Request", visit.asker().requestId());
    }

    private Reply nothingHere(Exchange exchange) {
        Set<String> methods = routes.methods(exchange.path());
        if (methods.isEmpty()) {
            return ProblemReply.of(ErrorCode.NOT_FOUND, "there is nothing here", "see /openapi.json", exchange.id());
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        String possible = String.join(", ", methods);
        return ProblemReply.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "this method is not possible here",
                        "use one of " + possible,
                        exchange.id())
                .with("Allow", possible);
    }

    private void admit(Exchange exchange, Routes.Match match, Context context) {
        HttpServerRequest request = exchange.request();
        Authenticator.Asker asker = asker(exchange);
        Optional<String> foreign = authenticator.foreignToken(asker, match.route());
        if (foreign.isEmpty()) {
            read(exchange, match, authenticator.byTokenOrSession(asker, match.route(), request.headers()), context);
            return;
        }
        // Its issuer may have to be asked, which takes longer than an event loop has.
        request.pause();
        threads.execute(() -> {
            Runnable next;
            try {
                Caller caller = authenticator.foreigner(foreign.get(), asker, match.route());
                next = () -> read(exchange, match, caller, context);
            } catch (RuntimeException | Error e) {
                next = () -> send(exchange, match.route().id(), "", FailureReply.of(e, exchange.id()));
            }
            Runnable then = next;
            context.runOnContext(nothing -> {
                try {
                    then.run();
                } catch (RuntimeException | Error e) {
                    send(exchange, match.route().id(), "", FailureReply.of(e, exchange.id()));
                }
                request.resume();
            });
        });
    }

    private void read(Exchange exchange, Routes.Match match, Caller caller, Context context) {
        bodies.read(exchange.request(), match.route(), caller, new RequestBodies.Receiver() {
            @Override
            public void whole(Buffer body, Runnable done) {
                threads.execute(() -> {
                    try {
                        serve(exchange, match, caller, body, context);
                    } finally {
                        done.run();
                    }
                });
            }

            @Override
            public void refused(ProblemException why) {
                send(exchange, match.route().id(), caller.actor().toString(), FailureReply.of(why, exchange.id()));
            }
        });
    }

    private void serve(Exchange exchange, Routes.Match match, Caller caller, Buffer body, Context context) {
        MDC.put("request", exchange.id());
        MDC.put("actor", caller.actor().toString());
        if (match.route().path().contains("clusters/{id}")) {
            MDC.put("cluster", Plain.text(match.parameters().getOrDefault("id", "")));
        }
        Route route = match.route();
        Optional<Reply> reply;
        try (Tracing.Part _ = exchange.trace().enter()) {
            reply = route.handler() instanceof Route.Streamer streamer
                    ? stream(streamer, exchange, match, caller, body, context)
                    : Optional.of(answer(exchange, match, caller, body));
        }
        String actor = caller.actor().toString();
        context.runOnContext(nothing -> reply.ifPresentOrElse(
                whole -> send(exchange, route.id(), actor, whole), () -> ended(exchange, route.id(), actor, 200)));
    }

    private Reply answer(Exchange exchange, Routes.Match match, Caller caller, Buffer body) {
        // Later would be too late: what was committed cannot be answered with a refusal.
        Optional<Reply> shortage = exchange.method().equals(HttpMethod.GET.name())
                ? Optional.empty()
                : PendingAnswers.shortage(exchange.request());
        if (shortage.isPresent()) {
            return shortage.get();
        }
        WorkBudget budget = expensive.budget();
        exchange.request().response().closeHandler(closed -> budget.cancel());
        if (exchange.request().response().closed()) {
            budget.cancel();
        }
        try {
            return budget.during(() -> handle(match.route(), call(exchange, match, caller, body), budget));
        } catch (Exception | Error e) {
            if (e instanceof ProblemException problem && isWorthKeeping(problem, exchange.method(), caller)) {
                boolean known = caller.access() != Caller.Access.NOBODY;
                authenticator.refused(problem, known ? caller.actor().toString() : "", asker(exchange));
            }
            return FailureReply.of(e, exchange.id());
        }
    }

    private Reply handle(Route route, Call call, WorkBudget budget) throws Exception {
        return ExpensiveRequests.isExpensive(route.id(), call)
                ? expensive.inTurn(
                        route.id(), call, budget, () -> route.handler().handle(call))
                : route.handler().handle(call);
    }

    /** Writes that were not done, and what a caller was not allowed to do or to see. */
    private boolean isWorthKeeping(ProblemException problem, String method, Caller caller) {
        return !method.equals(HttpMethod.GET.name())
                || switch (problem.problem().code()) {
                    case FORBIDDEN -> true;
                    case NOT_FOUND -> authenticator.mayHideFrom(caller); // hidden documents return 404
                    default -> false;
                };
    }

    /** Empty when the stream was begun, however it ended. */
    private Optional<Reply> stream(
            Route.Streamer streamer,
            Exchange exchange,
            Routes.Match match,
            Caller caller,
            Buffer body,
            Context context) {
        if (exchange.request().method().equals(HttpMethod.HEAD)) {
            return Optional.of(Reply.text(200, "text/event-stream", ""));
        }
        StreamOutput out = new StreamOutput(exchange.request(), context, () -> closing);
        try {
            streamer.stream(call(exchange, match, caller, body), out);
        } catch (Exception | Error e) {
            Reply reply = FailureReply.of(e, exchange.id());
            if (!out.begun()) {
                return Optional.of(reply);
            }
        }
        out.close();
        return Optional.empty();
    }

    private Call call(Exchange exchange, Routes.Match match, Caller caller, Buffer body) {
        HttpServerRequest request = exchange.request();
        return new Call(
                exchange.method(),
                exchange.path(),
                match.parameters(),
                query(request),
                request.headers(),
                body.getBytes(),
                caller,
                exchange.id(),
                address(request));
    }

    private static MultiMap query(HttpServerRequest request) {
        try {
            return request.params();
        } catch (IllegalArgumentException e) {
            throw ProblemException.refused(
                    ErrorCode.MALFORMED, "the query cannot be read", "percent-encode what is not plain");
        }
    }

    private void send(Exchange exchange, String route, String actor, Reply reply) {
        Reply adapted =
                FailureReply.hinted(RootErrors.adapted(exchange.path(), reply)).with("Homeport-Request", exchange.id());
        ended(exchange, route, actor, Replying.send(exchange.request(), adapted));
    }

    private void ended(Exchange exchange, String route, String actor, int status) {
        exchange.trace().answered(route, status, actor);
        watch.accept(new Answered(
                exchange.method(),
                route,
                exchange.path(),
                status,
                System.nanoTime() - exchange.begun(),
                actor,
                exchange.id(),
                address(exchange.request())));
    }

    private Authenticator.Asker asker(Exchange exchange) {
        return new Authenticator.Asker(
                exchange.method(),
                exchange.path(),
                exchange.request().getHeader("Authorization"),
                address(exchange.request()),
                exchange.id());
    }

    private String address(HttpServerRequest request) {
        return authenticator.address(new VertxRequest(request));
    }

    /** The caller's own id, if it is a decent one, so that a trace can be followed across systems. */
    private String requestId(@Nullable String given) {
        return given != null && given.matches("[A-Za-z0-9._-]{1,64}") && !Plain.holdsToken(given)
                ? given
                : "r" + Long.toString(clock.millis(), 36) + "-" + requests.incrementAndGet();
    }
}
