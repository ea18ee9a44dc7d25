package dev.homeport.change;

import dev.homeport.access.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A commit that wants to happen.
 *
 * @param expectedHead the end of the log that it was planned against: a restored log may end at the same revision
 * @param now the caller's clock; the commit's time is never before its predecessor's
 * @param marks facts about the commit that readers need: what it reverts, which plan was confirmed, that it is a hotfix
 * @param changes at most one per document
 */
public record Proposal(
        Head expectedHead,
        Actor actor,
        String reason,
        Instant now,
        String requestId,
        Optional<Idempotency> idempotency,
        Map<String, String> marks,
        List<Change> changes) {
    public Proposal {
        marks = Map.copyOf(new TreeMap<>(marks));
        changes = List.copyOf(changes);
    }

    /** A caller's retry key with a digest of what was asked, so that the same key with another body is noticed. */
    public record Idempotency(String key, String requestDigest) {}
}
