package dev.homeport.server.events;

import java.time.Instant;

/**
 * An event as it arrived, not verified yet.
 *
 * @param dns the name in the path
 * @param signature the header, empty if missing
 */
record Posted(String dns, String signature, byte[] body, String address, Instant receivedAt) {}
