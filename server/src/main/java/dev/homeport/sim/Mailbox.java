package dev.homeport.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** Posts events as notification-controller does: a few tries, and then the event is lost. */
final class Mailbox {
    private static final int AT_ONCE = 64;
    private static final int MOST_WAITING = 200_000;

    /** As the provider's timeout in generated manifests is. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Seconds before each further try; all of them are within the provider's timeout. */
    private static final double[] WAITS = {2, 4, 8};

    private final Link link;
    private final Schedule schedule;
    private final Deque<Letter> waiting = new ArrayDeque<>();
    private boolean closed;
    private int underWay;
    private long sent;
    private long accepted;
    private long refused;
    private long lost;

    Mailbox(Link link, Schedule schedule) {
        this.link = link;
        this.schedule = schedule;
    }

    private record Letter(String path, Map<String, String> headers, byte[] body, int tries) {}

    void post(Identity cluster, FluxEvents events, byte[] body) {
        if (cluster.eventKey().isEmpty()) {
            return;
        }
        if (waiting.size() >= MOST_WAITING) {
            lost++;
            return;
        }
        waiting.add(new Letter(
                "/api/v2/flux/clusters/" + cluster.dns() + "/events",
                Map.of(
                        "Content-Type",
                        "application/json",
                        "gotk-component",
                        "simulator",
                        "User-Agent",
                        "Go-http-client/1.1",
                        "X-Signature",
                        events.signature(body)),
                body,
                0));
        next();
    }

    private void next() {
        while (!closed && underWay < AT_ONCE && !waiting.isEmpty()) {
            Letter letter = waiting.remove();
            underWay++;
            sent += letter.tries() == 0 ? 1 : 0;
            link.post(letter.path(), letter.headers(), letter.body(), TIMEOUT, answer -> {
                underWay--;
                done(letter, answer);
                next();
            });
        }
    }

    private void done(Letter letter, Link.Answer answer) {
        boolean again = answer.status() <= 0 || answer.status() == 429 || answer.status() >= 500;
        if (answer.isSuccess()) {
            accepted++;
        } else if (!again) {
            refused++;
        } else if (letter.tries() >= WAITS.length) {
            lost++;
        } else {
            Letter next = new Letter(letter.path(), letter.headers(), letter.body(), letter.tries() + 1);
            schedule.in(WAITS[letter.tries()], () -> {
                waiting.add(next);
                next();
            });
        }
    }

    void close() {
        closed = true;
    }

    Figures.Events figures() {
        return new Figures.Events(sent, accepted, refused, lost);
    }
}
