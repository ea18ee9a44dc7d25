package dev.homeport.server.http;

import java.time.Duration;

/**
 * How long a client may take before its connection is cut.
 *
 * @param head until a request's head is there, which includes the TLS handshake and the time between requests
 * @param body until the rest of the request is there
 * @param answer until the server has an answer; only a fault in the server takes longer
 * @param linger for a client that still sends what is not read, to receive the answer that says so
 * @param look how often connections are looked at
 * @param bytesPerSecond how fast an answer is taken at least, on the whole
 */
public record ConnectionTimeouts(
        Duration head, Duration body, Duration answer, Duration linger, Duration look, long bytesPerSecond) {
    public static final ConnectionTimeouts STANDARD = new ConnectionTimeouts(
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofMinutes(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            64 * 1024);
}
