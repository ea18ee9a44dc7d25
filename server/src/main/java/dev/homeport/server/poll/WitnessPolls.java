package dev.homeport.server.poll;

import dev.homeport.document.Document;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.Snapshot;

/** The witnesses that clusters poll. They depend on what was reported, unlike every other answer. */
@FunctionalInterface
public interface WitnessPolls {
    AnswerBook.Page look(Snapshot snapshot, Document cluster);
}
