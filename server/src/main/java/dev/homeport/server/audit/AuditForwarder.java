package dev.homeport.server.audit;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitOutline;
import dev.homeport.change.Head;
import dev.homeport.change.History;
import dev.homeport.json.StrictJson;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends one stream of audit lines. Commits are read from the log, from the position that the sink has kept: each of them is in
 * the stream once and in order, whenever the server stops. Other events come as they happen; beyond a bound they are dropped, and
 * the stream says how many.
 */
public final class AuditForwarder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditForwarder.class);
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_COMMITS = 200;
    private static final int MOST_EVENTS = 1_000;
    private static final int MOST_CHANGES_NAMED = 1_000;
    private static final int MOST_CHARACTERS = 1 << 20;
    private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    private final AuditSink sink;
    private final AuditLines lines;
    private final History history;
    private final Supplier<Optional<Head>> head;
    private final InstantSource clock;
    private final ArrayBlockingQueue<ObjectNode> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private long droppedTold;
    private @Nullable AuditPosition position;
    private @Nullable Batch unsent;
    private volatile @Nullable Failing failing;
    private long pause;
    private long notBefore = System.nanoTime();

    /** Lines wait, because the sink does not take them. */
    public record Failing(Instant since, String why) {}

    private record Batch(List<String> lines, AuditPosition after) {}

    /** @param head the end of the log; nothing when commits are forwarded by another server or the log is not trusted now */
    AuditForwarder(
            AuditSink sink, AuditLines lines, History history, Supplier<Optional<Head>> head, InstantSource clock) {
        this.sink = sink;
        this.lines = lines;
        this.history = history;
        this.head = head;
        this.clock = clock;
    }

    public String name() {
        return sink.name();
    }

    /** Never waits. */
    void offer(ObjectNode event) {
        if (!waiting.offer(event)) {
            drop();
        }
    }

    /** Something happened of which no line was made. */
    void drop() {
        dropped.incrementAndGet();
    }

    /** Set while the sink takes nothing. */
    public Optional<Failing> failing() {
        return Optional.ofNullable(failing);
    }

    public long dropped() {
        return dropped.get();
    }

    public long sent() {
        return sent.get();
    }

    public long failures() {
        return failures.get();
    }

    /** Sends what there is. A sink that fails is tried again later, with the same lines. */
    public void turn() {
        if (System.nanoTime() - notBefore < 0) {
            return;
        }
        try {
            AuditPosition from = position;
            if (from == null) {
                from = sink.resume();
                position = from;
            }
            Batch batch = unsent == null ? batch(from) : unsent;
            while (!batch.lines().isEmpty()) {
                unsent = batch;
                sink.write(batch.lines(), batch.after());
                unsent = null;
                sent.addAndGet(batch.lines().size());
                position = batch.after();
                batch = batch(batch.after());
            }
            if (pause > 0) {
                LOG.info("audit lines are forwarded to the {} again", sink.name());
            }
            pause = 0;
            failing = null;
        } catch (IOException e) {
            failures.incrementAndGet();
            if (pause == 0) {
                LOG.error("audit lines cannot be forwarded to the {}: {}; trying again", sink.name(), e.getMessage());
            }
            Failing before = failing;
            failing = new Failing(before == null ? clock.instant() : before.since(), String.valueOf(e.getMessage()));
            pause = Math.min(LONGEST_PAUSE_NANOS, Math.max(500_000_000L, pause * 2));
            notBefore = System.nanoTime() + pause;
        }
    }

    private Batch batch(AuditPosition from) {
        List<String> all = new ArrayList<>();
        AuditPosition at = from;
        int characters = 0;
        Optional<Head> end = head.get();
        if (end.isPresent()) {
            long revision = resumeAfter(at, end.get());
            while (revision < end.get().revision() && all.size() < MOST_COMMITS && characters < MOST_CHARACTERS) {
                revision++;
                Optional<CommitOutline> commit = history.outline(revision);
                if (commit.isEmpty()) {
                    break;
                }
                AuditLines.Signed signed = lines.sign(
                        commit(commit.get()), at, commit.get().commit().epoch(), revision);
                all.add(signed.line());
                characters += signed.line().length();
                at = signed.position();
            }
        }
        long gone = dropped.get();
        if (gone > droppedTold) {
            ObjectNode event = StrictJson.object().put("kind", "dropped").put("count", gone - droppedTold);
            AuditLines.Signed signed = lines.sign(event, at, at.epoch(), at.revision());
            all.add(signed.line());
            at = signed.position();
            droppedTold = gone;
        }
        ObjectNode event;
        for (int i = 0; i < MOST_EVENTS && characters < MOST_CHARACTERS && (event = waiting.poll()) != null; i++) {
            AuditLines.Signed signed = lines.sign(event, at, at.epoch(), at.revision());
            all.add(signed.line());
            characters += signed.line().length();
            at = signed.position();
        }
        return new Batch(all, at);
    }

    /** After a restore the log goes on from an earlier revision, in another epoch: from the first commit of that one. */
    private long resumeAfter(AuditPosition at, Head end) {
        if (at.epoch() == 0 || at.epoch() == end.epoch()) {
            return Math.min(at.revision(), end.revision());
        }
        long revision = end.revision();
        while (revision > 0
                && history.outline(revision)
                        .map(one -> one.commit().epoch() > at.epoch())
                        .orElse(false)) {
            revision--;
        }
        return Math.min(revision, at.revision());
    }

    private static ObjectNode commit(CommitOutline recorded) {
        Commit commit = recorded.commit();
        ObjectNode event = StrictJson.object()
                .put("kind", "commit")
                .put("at", commit.at().toString())
                .put("revision", commit.revision())
                .put("epoch", commit.epoch())
                .put("actor", commit.actor().toString())
                .put("reason", commit.reason())
                .put("request_id", commit.requestId())
                .put("commit_hash", commit.hash())
                .put("change_count", commit.changeCount());
        ObjectNode marks = event.putObject("marks");
        commit.marks().forEach(marks::put);
        ArrayNode changes = event.putArray("changes");
        recorded.changes().stream()
                .limit(MOST_CHANGES_NAMED)
                .forEach(change -> changes.addObject()
                        .put("type", change.key().type())
                        .put("id", change.key().id())
                        .put("op", change.removes() ? "remove" : "put")
                        .put("digest", change.payloadDigest()));
        return event;
    }

    @Override
    public void close() {
        turn(); // what the last requests left
        sink.close();
    }
}
