package dev.homeport.observe;

import java.time.Instant;

/**
 * The last poll of one cluster for one type.
 *
 * @param since when it was first given what it was given last
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
        String address) {}
