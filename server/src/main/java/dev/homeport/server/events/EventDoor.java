package dev.homeport.server.events;

import dev.homeport.access.MasterKey;
import dev.homeport.api.ErrorCode;
import dev.homeport.observe.Observations;
import dev.homeport.server.http.BoundedBody;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Replying;
import dev.homeport.server.http.TrustedProxies;
import dev.homeport.snapshot.LogFollower;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Supplier;

/** {@code POST /api/v2/flux/clusters/{dns}/events}: takes bytes on the event loop, and leaves the rest to others. */
public final class EventDoor {
    /** A message has up to 39,000 characters, and JSON may write each with six bytes. */
    private static final int MAX_BODY = 256 * 1024;

    private static final int LONGEST_SIGNATURE = 200;

    private final EventInbox inbox;
    private final TrustedProxies proxies;
    private final InstantSource clock;

    public EventDoor(EventInbox inbox, TrustedProxies proxies, InstantSource clock) {
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
            Supplier<Observations> store,
            EventOutcome.Watch watch) {
        return new EventInbox(new EventDesk(follower, master, reports, failedLogins, strangers), store, watch);
    }

    public void handle(HttpServerRequest request, String dns) {
        if (!request.method().equals(HttpMethod.POST)) {
            Replying.send(
                    request,
                    ProblemReply.of(ErrorCode.METHOD_NOT_ALLOWED, "events are posted", "use POST", "")
                            .with("Allow", "POST"));
            return;
        }
        String length = request.getHeader("Content-Length");
        if (length != null && (length.length() > 9 || Long.parseLong(length) > MAX_BODY)) {
            Replying.send(request, tooLarge());
            return;
        }
        Context context = Objects.requireNonNull(Vertx.currentContext(), "not on an event loop");
        BoundedBody.read(
                request,
                MAX_BODY,
                body -> {
                    Posted posted = new Posted(
                            dns, signature(request), body.getBytes(), proxies.client(request), clock.instant());
                    boolean taken = inbox.offer(
                            posted, reply -> context.runOnContext(nothing -> Replying.send(request, reply)));
                    if (!taken) {
                        Replying.send(request, full());
                    }
                },
                () -> Replying.send(request, tooLarge()));
    }

    private static String signature(HttpServerRequest request) {
        String given = request.getHeader("X-Signature");
        return given == null || given.length() > LONGEST_SIGNATURE ? "" : given;
    }

    private static Reply tooLarge() {
        return ProblemReply.of(ErrorCode.TOO_LARGE, "an event has at most " + MAX_BODY + " bytes", "send less", "");
    }

    private static Reply full() {
        return ProblemReply.of(
                        ErrorCode.TOO_MANY_REQUESTS, "more events arrive than can be stored", "try again shortly", "")
                .with("Retry-After", "2");
    }
}
