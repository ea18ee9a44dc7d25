package dev.homeport.write;

import dev.homeport.change.Commit;

/** What became of a request that was not refused. */
public sealed interface Outcome {
    /** It is in the log, and in the snapshot that this server reads. */
    record Committed(Commit commit, Plan plan) implements Outcome {}

    /**
     * It was a dry run.
     *
     * @param token confirms this plan; worth something only where the plan has guards
     */
    record Planned(Plan plan, String token) implements Outcome {}

    /** Everything is as the request wants it already. */
    record Unchanged(long revision) implements Outcome {}

    /** The same request was committed before, under the same idempotency key. */
    record Replayed(Commit first) implements Outcome {}
}
