package dev.homeport.access;

/** What a caller wants to do with a document. */
public enum Verb {
    CREATE,
    UPDATE,
    DELETE,
    DECOMMISSION,
    UNDELETE,
    DETACH,
    PURGE,
    PAUSE,
    RESUME
}
