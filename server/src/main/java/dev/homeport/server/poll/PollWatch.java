package dev.homeport.server.poll;

import dev.homeport.server.http.RequestView;

/** Receives every poll that was answered. Called on the event loop: it must be quick. */
@FunctionalInterface
public interface PollWatch {
    /** @param bytes length of the body */
    void polled(RequestView request, PollPath path, int status, int bytes, long nanos);
}
