package dev.homeport.change;

import java.util.Optional;

/**
 * The furthest point of a log that this server has seen, kept outside the database, so that a restored old backup is
 * detected.
 */
public interface HighWaterMark {
    Optional<Head> read();

    void remember(Head head);
}
