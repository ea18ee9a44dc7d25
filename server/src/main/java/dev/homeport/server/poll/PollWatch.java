package dev.homeport.server.poll;

import io.vertx.core.http.HttpServerRequest;

/** Is told of every poll that was answered. Called on the event loop: it must be quick. */
@FunctionalInterface
public interface PollWatch {
    /** @param bytes length of the body */
    void polled(HttpServerRequest request, PollPath path, int status, int bytes, long nanos);
}
