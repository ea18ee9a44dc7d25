package dev.homeport.observe;

import java.time.Instant;

/** The last poll of one cluster for one type. */
public record ObservedPoll(
        String cluster,
        String type,
        Instant at,
        int status,
        String digest,
        long revision,
        String shape,
        String client,
        String address) {}
