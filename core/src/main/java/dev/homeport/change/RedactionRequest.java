package dev.homeport.change;

import dev.homeport.access.Actor;
import dev.homeport.document.DocumentKey;
import java.time.Instant;
import java.util.Optional;

/**
 * A value in the log that is to be blanked.
 *
 * @param key the document whose body holds it; empty: the commit itself does
 * @param pointer a JSON pointer into the body; of a commit {@code /reason}, {@code /actor}, {@code /request_id} or
 *     {@code /marks/NAME}
 * @param by who has it blanked, and {@code why}: both are kept in a commit of its own
 */
public record RedactionRequest(
        long revision, Optional<DocumentKey> key, String pointer, Actor by, String why, Instant now) {

    /** In words, without the value. */
    public String what() {
        return "revision " + revision + " " + key.map(DocumentKey::toString).orElse("commit") + " " + pointer;
    }
}
