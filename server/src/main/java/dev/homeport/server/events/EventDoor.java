package dev.homeport.server.events;

import dev.homeport.access.MasterKey;
import dev.homeport.api.ErrorCode;
import dev.homeport.observe.Observations;
import dev.homeport.server.http.BoundedBody;
import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.server.http.VertxRequest;
import dev.homeport.server.liveness.Loops;
import dev.homeport.snapshot.LogFollower;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** {@code POST /api/v2/flux/clusters/{dns}/events}: takes bytes on the event loop, and leaves the rest to others. */
public final class EventDoor {
    /** A message has up to 39,000 characters, and JSON may write each with six bytes. */
    public static final int MAX_BODY = 256 * 1024;

    private static final int LONGEST_SIGNATURE = 200;

    private final ConnectionLimits limits;
    private final EventInbox inbox;
    private final TrustedProxies proxies;
    private final InstantSource clock;

    public EventDoor(EventInbox inbox, TrustedProxies proxies, InstantSource clock, ConnectionLimits limits) {
        this.limits = limits;
        this.inbox = inbox;
        this.proxies = proxies;
        this.clock = clock;
    }

    /** Starts what works behind the door. */
    public static EventInbox inbox(
            LogFollower follower,
            MasterKey master,
            Reports reports,
            FailedLogins failedLogins,
            Strangers strangers,
            ReportedAnswers answers,
            Supplier<Observations> store,
            EventOutcome.Watch watch,
            EventInbox.Limits limits,
            Loops loops) {
        return new EventInbox(
                new EventDesk(follower, master, reports, failedLogins, strangers, answers),
                store,
                watch,
                limits,
                loops);
    }

    /** What is known of an event before its body has arrived. */
    public record Envelope(String dns, String signature, String address) {}

    /** Why the body is not even looked at, if that is so. */
    public Optional<Reply> refusal(RequestView request) {
        if (!request.method().equals("POST")) {
            return Optional.of(ProblemReply.of(ErrorCode.METHOD_NOT_ALLOWED, "events are posted", "use POST", "")
                    .with("Allow", "POST"));
        }
        String length = request.header("content-length");
        return length != null && (length.length() > 9 || Long.parseLong(length) > MAX_BODY)
                ? Optional.of(tooLarge())
                : Optional.empty();
    }

    public Envelope envelope(RequestView request, String dns) {
        String signature = request.header("x-signature");
        return new Envelope(
                dns,
                signature == null || signature.length() > LONGEST_SIGNATURE ? "" : signature,
                proxies.client(request));
    }

    /** @param then is called once, on any thread */
    public void deliver(Envelope envelope, byte[] body, Consumer<Reply> then) {
        Posted posted = new Posted(envelope.dns(), envelope.signature(), body, envelope.address(), clock.instant());
        if (!inbox.offer(posted, then)) {
            then.accept(full());
        }
    }

    public void handle(HttpServerRequest request, String dns) {
        RequestView view = new VertxRequest(request);
        Optional<Reply> refusal = refusal(view);
        if (refusal.isPresent()) {
            Replying.send(request, refusal.get());
            return;
        }
        Envelope envelope = envelope(view, dns);
        Context context = Objects.requireNonNull(Vertx.currentContext(), "not on an event loop");
        ByteBudget.Lease lease = BoundedBody.lease(request, limits);
        BoundedBody.read(
                request,
                MAX_BODY,
                lease,
                new BoundedBody.Outcome(
                        body -> deliver(envelope, body.getBytes(), reply -> {
                            lease.close();
                            context.runOnContext(nothing -> Replying.send(request, reply));
                        }),
                        () -> Replying.send(request, tooLarge()),
                        () -> Replying.send(request, limits.bytes().exhausted()),
                        lease::close));
    }

    public static Reply tooLarge() {
        return ProblemReply.of(ErrorCode.TOO_LARGE, "an event has at most " + MAX_BODY + " bytes", "send less", "");
    }

    private static Reply full() {
        return ProblemReply.of(
                        ErrorCode.TOO_MANY_REQUESTS, "more events arrive than can be stored", "try again shortly", "")
                .with("Retry-After", "2");
    }
}
