package dev.homeport.server.poll.wire;

/** Where connections come in, for one event loop. */
interface Door {
    int port();

    /** Afterwards nobody can connect; who was waiting is taken in first. Not to be called on the event loop. */
    void shut();
}
