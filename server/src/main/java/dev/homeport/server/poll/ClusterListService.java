package dev.homeport.server.poll;

import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.access.Rights;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Types;
import dev.homeport.server.http.Buckets;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.ProblemReply;
import dev.homeport.server.http.Reply;
import dev.homeport.server.liveness.LoopHealth;
import dev.homeport.server.liveness.Loops;
import dev.homeport.snapshot.Snapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes cluster lists on one thread of its own: a list is work in proportion to the fleet, and event loops answer polls. Equal
 * requests wait for each other there and share what was made.
 */
final class ClusterListService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterListService.class);
    private static final int LISTS_A_MINUTE = 120;
    private static final int BURST = 60;
    private static final int MOST_WAITING = 512;
    private static final int MOST_KEPT = 16;
    private static final long MOST_KEPT_BYTES = 16L << 20;

    private final Rights rights;
    private final Buckets callers = new Buckets(LISTS_A_MINUTE, BURST, System::nanoTime);
    private final ThreadPoolExecutor thread;

    private volatile @Nullable LoopHealth health;

    /** Used on that thread alone. */
    private final Map<ClusterListQuery, Made> kept = new LinkedHashMap<>(16, 0.75f, true);

    ClusterListService(Rights rights) {
        this.rights = rights;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().daemon().name("cluster-lists").factory());
    }

    void watch(Loops loops) {
        health = loops.watch("cluster-lists", thread, thread::isShutdown);
    }

    /** A list, and the documents that it was made from: while those are the same objects, so is the list. */
    private record Made(Object clusters, Object lives, Object environments, Object workspaces, ClusterList list) {
        static Made of(Snapshot snapshot, ClusterListQuery query) {
            return new Made(
                    snapshot.all(Types.CLUSTER),
                    snapshot.all(Types.CLUSTER_LIFE),
                    snapshot.all(Types.ENVIRONMENT),
                    snapshot.all(Types.WORKSPACE),
                    ClusterList.of(snapshot, query));
        }

        boolean isOf(Snapshot snapshot) {
            return clusters == snapshot.all(Types.CLUSTER)
                    && lives == snapshot.all(Types.CLUSTER_LIFE)
                    && environments == snapshot.all(Types.ENVIRONMENT)
                    && workspaces == snapshot.all(Types.WORKSPACE);
        }

        long bytes() {
            return list instanceof ClusterList.Rows rows ? rows.body().length : 0;
        }
    }

    /** Never waits: too many requests of one caller, or in all, are refused at once. */
    void answer(
            Caller caller,
            String callerKey,
            ClusterListQuery query,
            Supplier<Optional<Snapshot>> fresh,
            Supplier<Reply> unavailable,
            Consumer<Reply> then) {
        if (!callers.take(callerKey)) {
            then.accept(ProblemReply.of(
                            ErrorCode.TOO_MANY_REQUESTS,
                            "too many requests for the cluster list with this token",
                            "request it less often",
                            "")
                    .with("Retry-After", "1"));
            return;
        }
        try {
            thread.execute(() -> {
                then.accept(reply(caller, query, fresh, unavailable));
                turned();
            });
        } catch (RejectedExecutionException e) {
            then.accept(ProblemReply.of(
                            ErrorCode.UNAVAILABLE,
                            "too many requests for the cluster list are waiting",
                            "try again later",
                            "")
                    .with("Retry-After", "5"));
        }
    }

    /** With a full queue the watchdog finds no place in it, and the thread is not late for that. */
    private void turned() {
        LoopHealth watched = health;
        if (watched != null) {
            watched.turned();
        }
    }

    private Reply reply(
            Caller caller, ClusterListQuery query, Supplier<Optional<Snapshot>> fresh, Supplier<Reply> unavailable) {
        try {
            Optional<Snapshot> snapshot = fresh.get(); // now, as the request may have waited
            return snapshot.isEmpty() ? unavailable.get() : reply(caller, query, snapshot.get());
        } catch (RuntimeException | Error e) {
            LOG.error("the cluster list failed", e);
            return ProblemReply.of(
                    ErrorCode.INTERNAL, "the cluster list could not be made", "try again; the log has more", "");
        }
    }

    private Reply reply(Caller caller, ClusterListQuery query, Snapshot snapshot) {
        Powers powers = rights.powers(snapshot, caller);
        Optional<Reply> refusal = refusal(snapshot, caller, powers, query);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        return switch (list(snapshot, query)) {
            case ClusterList.Unknown unknown ->
                ProblemReply.of(
                        ErrorCode.NOT_FOUND,
                        "the cluster list is not served: there is no " + unknown.what(),
                        "check the query; an empty list would delete clusters",
                        "");
            case ClusterList.Broken broken ->
                ProblemReply.of(new UnreadableRow(broken.key()).problem("the cluster list", powers), "");
            case ClusterList.Rows rows -> served(rows, query, snapshot);
        };
    }

    private static Reply served(ClusterList.Rows rows, ClusterListQuery query, Snapshot snapshot) {
        if (query.limit() > 0 && rows.count() > query.limit()) {
            return ProblemReply.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the cluster list has " + rows.count() + " rows, more than the limit of " + query.limit()
                            + ": Flux would drop the rest",
                    "raise filter.limit of the provider, and limit in its URL",
                    "");
        }
        return new Reply(200, Reply.JSON, rows.body(), Map.of(PollDesk.REVISION, Long.toString(snapshot.revision())));
    }

    /**
     * Only callers who may read every cluster that the query can mean. A list cut to what a caller sees would become shorter
     * when a grant ends, and clusters would be deleted by that.
     */
    private Optional<Reply> refusal(Snapshot snapshot, Caller caller, Powers powers, ClusterListQuery query) {
        boolean admitted = rights.mayEnter(snapshot, caller) || caller.access() == Caller.Access.COMPAT_READER;
        if (admitted && powers.mayThroughout(Verb.READ, Types.CLUSTER, query.place())) {
            return Optional.empty();
        }
        String workspace = query.workspace();
        if (admitted && workspace != null) {
            return Optional.of(ProblemReply.of(
                    ErrorCode.NOT_FOUND,
                    "the cluster list is not served: there is no workspace/" + Plain.text(workspace)
                            + " of which this token may read every cluster",
                    "check the query and the token's grants",
                    ""));
        }
        return Optional.of(ProblemReply.of(
                ErrorCode.FORBIDDEN,
                "this token may not read every cluster of " + query.place() + ", and the list is never cut to a part",
                "use a token that may, or name one workspace or environment with workspace= or environment=",
                ""));
    }

    private ClusterList list(Snapshot snapshot, ClusterListQuery query) {
        ClusterListQuery key = new ClusterListQuery(query.workspace(), query.environment(), query.selector(), 0);
        Made known = kept.get(key);
        if (known == null || !known.isOf(snapshot)) {
            known = Made.of(snapshot, key);
            kept.put(key, known);
            forget(snapshot);
        }
        return known.list();
    }

    private void forget(Snapshot snapshot) {
        kept.values().removeIf(made -> !made.isOf(snapshot));
        long bytes = kept.values().stream().mapToLong(Made::bytes).sum();
        for (var oldest = kept.values().iterator();
                oldest.hasNext() && (kept.size() > MOST_KEPT || bytes > MOST_KEPT_BYTES); ) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
