package dev.homeport.change;

import dev.homeport.document.Body;
import dev.homeport.document.DocumentKey;
import java.util.Optional;

/**
 * A change as the log holds it.
 *
 * @param after the body, or nothing for a removal; a redacted body has {@code redacted} set
 * @param payloadDigest digest of the body as it was written, which redaction leaves alone
 * @param beforeDigest payload digest of the document's previous version, empty when there was none
 */
public record RecordedChange(
        DocumentKey key, Optional<Body> after, String payloadDigest, String beforeDigest, boolean redacted) {
    public ChangeOutline outline() {
        return new ChangeOutline(key, payloadDigest, beforeDigest, redacted);
    }
}
