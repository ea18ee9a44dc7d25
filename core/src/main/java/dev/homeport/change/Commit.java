package dev.homeport.change;

import dev.homeport.access.Actor;
import dev.homeport.document.Stamp;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The header of a commit as the log holds it. Hashes are lower-case hex of SHA-256. */
public record Commit(
        long revision,
        long epoch,
        Instant at,
        Actor actor,
        String reason,
        String requestId,
        Optional<String> idempotencyKey,
        Map<String, String> marks,
        int changeCount,
        String previousHash,
        String hash) {

    public Stamp stamp() {
        return new Stamp(revision, epoch, at, actor.toString(), reason);
    }
}
