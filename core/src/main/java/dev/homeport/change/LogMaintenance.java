package dev.homeport.change;

import java.util.function.LongConsumer;

/** What an operator does to a log with the server's hands off it. The contract suite covers every sentence here too. */
public interface LogMaintenance {

    /**
     * Walks the whole chain: gap-free revisions, hashes, payload digests (but for redacted payloads), times that rise, and
     * current documents equal to the fold of the log. Throws {@link StoreCorrupt} at the first thing wrong.
     */
    Verified verify(LongConsumer progress);

    /**
     * Blanks a value in the log, for a secret that slipped in, and adds a commit that says which, who and why; both or
     * neither. The chain still verifies: hashes cover the digest of a body, and the added commit holds the hash of a commit
     * whose own texts were blanked. Refused with {@link IllegalStateException} while a body is the document's current
     * version, and when there is no such value.
     */
    Commit redact(RedactionRequest request);

    /** Marks that what follows may contradict what readers saw: after a restore. Returns the new epoch. */
    long raiseEpoch();

    /**
     * Ends the quarantine of a log that still ends at the head an operator has seen, and raises the epoch, so that every
     * server loads it again. Refused with {@link StoreRefused} when the log has moved meanwhile. Returns the new head.
     */
    Head accept(Head seen);

    /** What a walk found. */
    record Verified(long commits, long changes, long documents, long redacted) {}
}
