package dev.homeport.snapshot;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;

/** Answers in bytes, from the cache where the state that they depend on has not moved. */
public final class AnswerBook {
    private final AnswerCache cache;

    public AnswerBook(AnswerCache cache) {
        this.cache = cache;
    }

    /** The response to a poll. */
    public sealed interface Page {
        /** 200. */
        record Ready(AnswerCache.Entry entry) implements Page {}

        /** An error, so that the cluster keeps what it has. */
        record Hold(String reason) implements Page {}

        /** 410: no longer managed. */
        record Detached(long since) implements Page {}
    }

    public Page look(Snapshot snapshot, Document cluster, TypeDefinition type, WireShape shape) {
        AnswerCache.Key key = new AnswerCache.Key(cluster.id(), type.name(), shape);
        AnswerCache.State state = snapshot.stateOf(cluster);
        AnswerCache.Entry known = cache.get(key, state);
        if (known != null) {
            return new Page.Ready(known);
        }
        return switch (Answers.of(snapshot, cluster, type)) {
            case Answer.Hold hold -> new Page.Hold(hold.reason());
            case Answer.Detached detached -> new Page.Detached(detached.revision());
            case Answer.Served served -> new Page.Ready(cache.put(key, state, Rendering.render(served, shape)));
        };
    }
}
