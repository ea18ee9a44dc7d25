package dev.homeport.server.poll;

import java.time.Instant;

/**
 * The last poll of one cluster for one type.
 *
 * @param since when the cluster was first given what it was given last
 */
public record PollSeen(
        Instant at,
        Instant since,
        int status,
        String digest,
        long revision,
        String shape,
        String client,
        String address) {

    public PollSeen(Instant at, int status, String digest, long revision, String shape, String client, String address) {
        this(at, at, status, digest, revision, shape, client, address);
    }

    /** This poll, knowing the one before: the same answer again was given since then. */
    PollSeen after(PollSeen before) {
        return digest.equals(before.digest)
                ? new PollSeen(at, before.since, status, digest, revision, shape, client, address)
                : this;
    }
}
