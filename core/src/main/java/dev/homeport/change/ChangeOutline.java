package dev.homeport.change;

import dev.homeport.document.DocumentKey;

/**
 * What a change is about, without the bodies: enough to decide who sees it.
 *
 * @param payloadDigest empty for a removal
 * @param beforeDigest empty when there was no previous version
 * @param redacted whether the body was blanked since
 */
public record ChangeOutline(DocumentKey key, String payloadDigest, String beforeDigest, boolean redacted) {
    /** Whether the change made the document. */
    public boolean creates() {
        return beforeDigest.equals(CommitHash.NOTHING);
    }

    public boolean removes() {
        return payloadDigest.equals(CommitHash.NOTHING);
    }
}
