package dev.homeport.change;

import dev.homeport.document.DocumentKey;
import java.util.function.LongConsumer;

/** What an operator does to a log with the server's hands off it. The contract suite covers every sentence here too. */
public interface LogMaintenance {

    /**
     * Walks the whole chain: gap-free revisions, hashes, payload digests (but for redacted payloads), times that rise, and
     * current documents equal to the fold of the log. Throws {@link StoreCorrupt} at the first thing wrong.
     */
    Verified verify(LongConsumer progress);

    /**
     * Blanks the value at a JSON pointer in the payload of one change, for a secret that slipped in. The chain still
     * verifies, because hashes cover the payload's digest. Refused with {@link IllegalStateException} while that change is
     * the document's current version, and when there is no value at the pointer.
     */
    void redact(long revision, DocumentKey key, String pointer);

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
