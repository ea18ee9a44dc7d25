package dev.homeport.change;

/** The result of a proposal. */
public sealed interface AppendResult {
    /** It is durable and is the new head. */
    record Appended(Commit commit) implements AppendResult {}

    /** Another commit was first; nothing was written. */
    record HeadMoved(Head head) implements AppendResult {}

    /** The same actor's key and request were committed before; nothing was written again. */
    record Replayed(Commit first) implements AppendResult {}

    /** The same actor used the key for another request; nothing was written. */
    record KeyReused(Commit first) implements AppendResult {}
}
