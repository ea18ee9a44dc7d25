package dev.homeport.server.events;

import java.time.Instant;

/**
 * An event as it arrived, believed by nobody yet.
 *
 * @param dns the name in the path
 * @param signature the header, empty when there was none
 */
record Posted(String dns, String signature, byte[] body, String address, Instant receivedAt) {}
