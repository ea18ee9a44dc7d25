package dev.homeport.observe;

import java.time.Instant;

/** When a token was last shown and found good, to the minute. */
public record TokenUse(String token, Instant at) {}
