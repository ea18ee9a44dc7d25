package dev.homeport.server.http;

import java.time.Duration;

/**
 * How long a client may take before its connection is cut.
 *
 * @param head until a request's head has arrived, which includes the TLS handshake and the time between requests
 * @param body until the rest of the request has arrived
 * @param answer until the server has an answer; only a fault in the server takes longer
 * @param linger for a client that still sends a body that is not read, to receive the answer
 * @param look how often connections are looked at
 * @param bytesPerSecond the lowest average rate at which an answer must be read
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
