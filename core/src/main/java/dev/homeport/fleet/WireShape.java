package dev.homeport.fleet;

/** The two forms of an answer on the wire. */
public enum WireShape {
    /** One input per item, disabled ones included. */
    FLAT,
    /** One sealed input that holds all enabled items, and says how many there are. */
    SET
}
