package dev.homeport.server.poll;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.PollInterval;
import dev.homeport.observe.Refusal;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.RequestCopy;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.server.http.VertxRequest;
import dev.homeport.server.tls.ClientCertificates;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The poll plane's requests, answered on the event loop, and its events: nothing here blocks. */
public final class PollListener {
    private static final Logger LOG = LoggerFactory.getLogger(PollListener.class);

    private final PollDesk desk;
    private final EventDoor events;
    private final PollWatch watch;
    private final RefusedAttempts refusals;
    private final boolean readOnly;
    private final TrustedProxies proxies;
    private final Function<RequestView, ClientCertificates.Shown> certificates;
    private final Supplier<Optional<String>> liveness;

    /**
     * @param certificates the client certificates of requests
     * @param liveness which loop of this server is dead or late, if any
     */
    public PollListener(
            PollDesk desk,
            EventDoor events,
            PollWatch watch,
            RefusedAttempts refusals,
            boolean readOnly,
            TrustedProxies proxies,
            Function<RequestView, ClientCertificates.Shown> certificates,
            Supplier<Optional<String>> liveness) {
        this.refusals = refusals;
        this.desk = desk;
        this.events = events;
        this.watch = watch;
        this.readOnly = readOnly;
        this.proxies = proxies;
        this.certificates = certificates;
        this.liveness = liveness;
    }

    public void handle(HttpServerRequest request) {
        Optional<String> reporting = request.path() == null ? Optional.empty() : PollPath.eventsOf(request.path());
        if (reporting.isPresent()) {
            events.handle(request, reporting.get());
        } else if (request.path() != null && isList(request.path())) {
            Context context = Objects.requireNonNull(Vertx.currentContext(), "not on an event loop");
            list(new VertxRequest(request), reply -> context.runOnContext(nothing -> Replying.send(request, reply)));
        } else {
            Replying.send(request, reply(new VertxRequest(request)));
        }
    }

    /** The handler of events. */
    public EventDoor events() {
        return events;
    }

    /** True when the path belongs to this plane, on whichever listener it arrives. */
    public static boolean isMine(String path) {
        return path.equals("/health")
                || path.equals("/ready")
                || path.equals("/livez")
                || path.equals("/readyz")
                || PollPath.parse(path).isPresent()
                || PollPath.eventsOf(path).isPresent();
    }

    /** Whether the path is the list of clusters, which is work in proportion to the fleet: use {@link #list}. */
    public static boolean isList(String path) {
        return PollPath.isClusters(path);
    }

    /** Never fails, and never waits; {@code then} is called once, on this thread or another. */
    public void list(RequestView request, Consumer<Reply> then) {
        long begun = System.nanoTime();
        RequestCopy copy = RequestCopy.of(request);
        String client = proxies.client(request);
        Consumer<Reply> answered = reply -> {
            if (reply.status() == Refusal.NOT_KNOWN) {
                refused(copy, client, PollPath.PREFIX);
            }
            watch.polled(copy, new PollPath.Clusters(), reply.status(), reply.body().length, System.nanoTime() - begun);
            then.accept(reply);
        };
        try {
            Optional<Reply> refused = methodRefused(request);
            if (refused.isPresent()) {
                answered.accept(refused.get());
                return;
            }
            String query = request.query();
            desk.list(
                    poll(request, new PollPath.Clusters(), client),
                    query == null ? Map.of() : parameters(query),
                    answered);
        } catch (ProblemException e) {
            answered.accept(ProblemReply.of(e.problem(), ""));
        } catch (RuntimeException e) {
            LOG.error("a request for the cluster list failed", e);
            answered.accept(ProblemReply.of(
                    ErrorCode.INTERNAL, "something went wrong here", "try again; the log has more", ""));
        }
    }

    private Optional<Reply> methodRefused(RequestView request) {
        if (request.method().equals("GET") || request.method().equals("HEAD")) {
            return Optional.empty();
        }
        return Optional.of(ProblemReply.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        readOnly ? "this server is read-only" : "this path is only read",
                        "send writes to the admin plane",
                        "")
                .with("Allow", "GET, HEAD"));
    }

    /** Never fails, and never waits. */
    public Reply reply(RequestView request) {
        try {
            String path = request.path();
            if (path == null) {
                return ProblemReply.of(ErrorCode.MALFORMED, "the request has no path", "send one", "");
            }
            Optional<Reply> refused = methodRefused(request);
            if (refused.isPresent()) {
                return refused.get();
            }
            return switch (path) {
                case "/health" -> Reply.json(200, StrictJson.object().put("status", "ok"));
                case "/ready", "/readyz" -> ready();
                case "/livez" -> alive();
                default -> answer(request, path);
            };
        } catch (ProblemException e) {
            return ProblemReply.of(e.problem(), "");
        } catch (RuntimeException | Error e) {
            LOG.error("a poll failed", e);
            return ProblemReply.of(ErrorCode.INTERNAL, "something went wrong here", "try again; the log has more", "");
        }
    }

    private Reply ready() {
        return desk.notReady()
                .map(reason -> ProblemReply.of(ErrorCode.UNAVAILABLE, reason, "wait, or look at the store", ""))
                .orElseGet(() -> Reply.json(200, StrictJson.object().put("status", "ready")));
    }

    private Reply alive() {
        return liveness.get()
                .map(problem ->
                        ProblemReply.of(ErrorCode.UNAVAILABLE, problem, "restart the server; its log may say why", ""))
                .orElseGet(() -> Reply.json(200, StrictJson.object().put("status", "alive")));
    }

    private Reply answer(RequestView request, String path) {
        long begun = System.nanoTime();
        Optional<PollPath> asked = PollPath.parse(path);
        if (asked.isEmpty()) {
            return ProblemReply.of(ErrorCode.NOT_FOUND, "there is nothing here", "see /openapi.json", "");
        }
        if (!(asked.get() instanceof PollPath.Answers answers)) {
            return ProblemReply.of(
                    ErrorCode.MALFORMED, "the cluster list takes no body", "send the request without one", "");
        }
        String client = proxies.client(request);
        Reply reply = desk.answer(poll(request, answers, client), answers);
        if (reply.status() == Refusal.NOT_KNOWN) {
            refused(request, client, path);
        }
        watch.polled(request, answers, reply.status(), reply.body().length, System.nanoTime() - begun);
        return reply;
    }

    private PollDesk.Poll poll(RequestView request, PollPath asked, String client) {
        String agent = request.header("user-agent");
        String query = request.query();
        return new PollDesk.Poll(
                asked,
                request.header("authorization"),
                request.header("accept-encoding"),
                agent == null ? "" : agent.length() > 100 ? agent.substring(0, 100) : agent,
                client,
                query == null ? "" : PollInterval.inQuery(query),
                certificates.apply(request));
    }

    private static Map<String, List<String>> parameters(String query) {
        try {
            return new QueryStringDecoder(query, false).parameters();
        } catch (IllegalArgumentException e) {
            throw ProblemException.refused(
                    ErrorCode.MALFORMED, "the query cannot be read", "percent-encode what is not plain");
        }
    }

    /** A client that sends too many of these gets 429. */
    private void refused(RequestView request, String client, String path) {
        refusals.record(new Refusal(
                Instant.now().truncatedTo(ChronoUnit.MICROS),
                "",
                "",
                client,
                request.method(),
                Plain.path(path),
                Refusal.NOT_KNOWN,
                ErrorCode.UNAUTHENTICATED.code(),
                "the token is missing or not valid"));
    }
}
