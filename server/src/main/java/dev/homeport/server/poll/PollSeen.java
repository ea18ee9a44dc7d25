package dev.homeport.server.poll;

import java.time.Duration;
import java.time.Instant;

/**
 * The last poll of one cluster for one type.
 *
 * @param since when the cluster was first given what it was given last
 * @param gap seconds since its poll before that one, not a number when that is not known
 */
public record PollSeen(
        Instant at,
        Instant since,
        int status,
        String digest,
        long revision,
        String shape,
        String client,
        String address,
        float gap) {

    public PollSeen(Instant at, int status, String digest, long revision, String shape, String client, String address) {
        this(at, at, status, digest, revision, shape, client, address, Float.NaN);
    }

    /** This poll, knowing the one before: the same answer again was given since then. */
    PollSeen after(PollSeen before) {
        Instant began = digest.equals(before.digest) ? before.since : since;
        float seconds = Duration.between(before.at, at).toMillis() / 1000f;
        return new PollSeen(at, began, status, digest, revision, shape, client, address, seconds);
    }
}
