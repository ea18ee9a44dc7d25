package dev.homeport.server.events;

import java.util.Locale;
import java.util.function.Consumer;

/** The outcome of an event. */
public enum EventOutcome {
    /** It was new. */
    ACCEPTED,
    /** It, or a later one of the same object, was there already. */
    DUPLICATE,
    /** It happened more than a day ago. */
    LATE,
    /** It is of something that Homeport did not ask for. */
    UNRELATED,
    /** It is signed, but is not an event. */
    MALFORMED,
    /** The sender is unknown. */
    UNAUTHENTICATED,
    /** There was no room for it. */
    OVERFLOW;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Receives the outcome of every event. */
    @FunctionalInterface
    public interface Watch extends Consumer<EventOutcome> {}
}
