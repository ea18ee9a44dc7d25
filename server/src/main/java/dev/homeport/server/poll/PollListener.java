package dev.homeport.server.poll;

import dev.homeport.api.ErrorCode;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.Refusal;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.server.http.VertxRequest;
import dev.homeport.server.tls.ClientCertificates;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

    /** @param certificates what whoever sent a request has shown */
    public PollListener(
            PollDesk desk,
            EventDoor events,
            PollWatch watch,
            RefusedAttempts refusals,
            boolean readOnly,
            TrustedProxies proxies,
            Function<RequestView, ClientCertificates.Shown> certificates) {
        this.refusals = refusals;
        this.desk = desk;
        this.events = events;
        this.watch = watch;
        this.readOnly = readOnly;
        this.proxies = proxies;
        this.certificates = certificates;
    }

    public void handle(HttpServerRequest request) {
        Optional<String> reporting = request.path() == null ? Optional.empty() : PollPath.eventsOf(request.path());
        if (reporting.isPresent()) {
            events.handle(request, reporting.get());
        } else {
            Replying.send(request, reply(new VertxRequest(request)));
        }
    }

    /** The way in for what clusters report. */
    public EventDoor events() {
        return events;
    }

    /** True when the path belongs to this plane, on whichever listener it arrives. */
    public static boolean isMine(String path) {
        return path.equals("/health")
                || path.equals("/ready")
                || PollPath.parse(path).isPresent()
                || PollPath.eventsOf(path).isPresent();
    }

    /** Never fails, and never waits. */
    public Reply reply(RequestView request) {
        try {
            String path = request.path();
            if (path == null) {
                return ProblemReply.of(ErrorCode.MALFORMED, "the request has no path", "send one", "");
            }
            if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
                return ProblemReply.of(
                                ErrorCode.METHOD_NOT_ALLOWED,
                                readOnly ? "this server is read-only" : "this path is only read",
                                "send writes to the admin plane",
                                "")
                        .with("Allow", "GET, HEAD");
            }
            return switch (path) {
                case "/health" -> Reply.json(200, StrictJson.object().put("status", "ok"));
                case "/ready" -> ready();
                default -> answer(request, path);
            };
        } catch (ProblemException e) {
            return ProblemReply.of(e.problem(), "");
        } catch (RuntimeException e) {
            LOG.error("a poll failed", e);
            return ProblemReply.of(ErrorCode.INTERNAL, "something went wrong here", "try again; the log has more", "");
        }
    }

    private Reply ready() {
        return desk.notReady()
                .map(reason -> ProblemReply.of(ErrorCode.UNAVAILABLE, reason, "wait, or look at the store", ""))
                .orElseGet(() -> Reply.json(200, StrictJson.object().put("status", "ready")));
    }

    private Reply answer(RequestView request, String path) {
        long begun = System.nanoTime();
        Optional<PollPath> asked = PollPath.parse(path);
        if (asked.isEmpty()) {
            return ProblemReply.of(ErrorCode.NOT_FOUND, "there is nothing here", "see /openapi.json", "");
        }
        String query = asked.get() instanceof PollPath.Clusters ? request.query() : null;
        String agent = request.header("user-agent");
        Reply reply = desk.answer(new PollDesk.Poll(
                asked.get(),
                query == null ? Map.of() : parameters(query),
                request.header("authorization"),
                request.header("accept-encoding"),
                agent == null ? "" : agent.length() > 100 ? agent.substring(0, 100) : agent,
                proxies.client(request),
                certificates.apply(request)));
        if (reply.status() == Refusal.NOT_KNOWN) {
            refused(request, path);
        }
        watch.polled(request, asked.get(), reply.status(), reply.body().length, System.nanoTime() - begun);
        return reply;
    }

    private static Map<String, String> parameters(String query) {
        try {
            Map<String, String> last = new HashMap<>();
            new QueryStringDecoder(query, false)
                    .parameters()
                    .forEach((name, values) -> last.put(name, values.getLast()));
            return last;
        } catch (IllegalArgumentException e) {
            throw ProblemException.refused(
                    ErrorCode.MALFORMED, "the query cannot be read", "percent-encode what is not plain");
        }
    }

    /** Whoever sends too many of these gets another status. */
    private void refused(RequestView request, String path) {
        refusals.record(new Refusal(
                Instant.now().truncatedTo(ChronoUnit.MICROS),
                "",
                "",
                proxies.client(request),
                request.method(),
                Plain.path(path),
                Refusal.NOT_KNOWN,
                ErrorCode.UNAUTHENTICATED.code(),
                "the token is missing or not valid"));
    }
}
