package dev.homeport.server.linear;

import org.jspecify.annotations.Nullable;

/**
 * The request of one client for one document, and its answer. Every write has a unique value, so a value identifies the
 * version that the write made.
 *
 * @param expected the value of the version that an update or a delete was bound to; null otherwise
 * @param value what a create or an update writes; null otherwise
 * @param seen the value that a get returned; null otherwise
 * @param revision what was answered with a success, 0 otherwise
 * @param start and end: nanoseconds of one clock; without an answer the end is the end of time
 */
record DocumentOperation(
        String document,
        Kind kind,
        @Nullable String expected,
        @Nullable String value,
        Outcome outcome,
        @Nullable String seen,
        long revision,
        long start,
        long end) {
    enum Kind {
        CREATE,
        UPDATE,
        DELETE,
        GET
    }

    enum Outcome {
        /** A write was done, or a get found something. */
        DONE,
        /** There was nothing to update, delete or get. */
        ABSENT,
        /** There was something already, where a create wanted nothing. */
        EXISTS,
        /** Another version was there than the one that the client had seen. */
        STALE,
        /** No answer came: it may have been done, or be done later, or never. */
        UNKNOWN
    }
}
