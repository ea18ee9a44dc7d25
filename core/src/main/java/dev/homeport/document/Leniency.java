package dev.homeport.document;

/** How much a document may lack. */
public enum Leniency {
    STRICT,
    /** Written on a root path or imported: what the schema lists as {@code x-lenient} may be absent. */
    IMPORTED
}
