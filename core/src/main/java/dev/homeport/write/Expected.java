package dev.homeport.write;

/** Which version of a document an operation is meant for. */
public sealed interface Expected {
    /** Whatever is there. */
    record Any() implements Expected {}

    /** Exactly the version that this revision wrote. */
    record Revision(long revision) implements Expected {}

    Expected ANY = new Any();
}
