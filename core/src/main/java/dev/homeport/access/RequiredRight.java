package dev.homeport.access;

/**
 * A right that a change needs besides its own verb, because of what it makes possible.
 *
 * @param type whose documents the verb is asked about
 * @param what the part of the change that needs it, in words that follow "may not"
 */
record RequiredRight(Verb verb, String type, String what) {}
