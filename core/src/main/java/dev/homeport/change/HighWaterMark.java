package dev.homeport.change;

import java.util.Optional;

/** The furthest point of a log that anybody here has seen, kept outside the database, so that an old backup is noticed. */
public interface HighWaterMark {
    Optional<Head> read();

    void remember(Head head);
}
