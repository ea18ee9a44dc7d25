package dev.homeport.observe;

import java.time.Instant;

/**
 * The last poll of one cluster for one type.
 *
 * @param since when it was first given what it was given last
 * @param every how often it polls, see {@link PollInterval#of(String, String)}
 */
public record ObservedPoll(
        String cluster,
        String type,
        Instant at,
        Instant since,
        int status,
        String digest,
        long revision,
        String shape,
        String client,
        String address,
        String every) {

    /** Of a poll that did not say how often it comes. */
    public ObservedPoll(
            String cluster,
            String type,
            Instant at,
            Instant since,
            int status,
            String digest,
            long revision,
            String shape,
            String client,
            String address) {
        this(cluster, type, at, since, status, digest, revision, shape, client, address, "");
    }
}
