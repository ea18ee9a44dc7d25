package dev.homeport.server.poll.wire;

/** Where connections come in, for one event loop. */
interface Door {
    int port();

    /** Afterwards no client can connect; waiting ones are accepted first. Not to be called on the event loop. */
    void shut();
}
