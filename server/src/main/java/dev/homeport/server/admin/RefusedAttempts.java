package dev.homeport.server.admin;

import dev.homeport.json.StrictJson;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes that were not done: the last few in memory, all of them in the log file. They hold nothing of the body. */
public final class RefusedAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedAttempts.class);
    private static final int KEPT = 1000;

    private final Deque<Attempt> last = new ArrayDeque<>();

    /** Who wanted what, and why it was refused. */
    public record Attempt(
            Instant at,
            String actor,
            String method,
            String path,
            int status,
            String code,
            String detail,
            String requestId,
            String address) {
        ObjectNode json() {
            return StrictJson.object()
                    .put("at", at.toString())
                    .put("actor", actor)
                    .put("method", method)
                    .put("path", path)
                    .put("status", status)
                    .put("code", code)
                    .put("detail", detail)
                    .put("request_id", requestId)
                    .put("address", address);
        }
    }

    public void record(Attempt attempt) {
        LOG.info(
                "refused {}: {} {} {} by {}: {}",
                attempt.requestId(),
                attempt.status(),
                attempt.method(),
                attempt.path(),
                attempt.actor(),
                attempt.code());
        synchronized (last) {
            last.addFirst(attempt);
            if (last.size() > KEPT) {
                last.removeLast();
            }
        }
    }

    /** Newest first. */
    public List<Attempt> newest() {
        synchronized (last) {
            return new ArrayList<>(last);
        }
    }
}
