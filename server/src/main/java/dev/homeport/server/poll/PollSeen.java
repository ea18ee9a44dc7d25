package dev.homeport.server.poll;

import java.time.Instant;

/** The last poll of one cluster for one type. */
public record PollSeen(
        Instant at, int status, String digest, long revision, String shape, String client, String address) {}
