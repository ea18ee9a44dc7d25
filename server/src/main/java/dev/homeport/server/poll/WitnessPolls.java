package dev.homeport.server.poll;

import dev.homeport.document.Document;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.Snapshot;

/** What clusters are asked about themselves. It depends on what they reported, unlike every other answer. */
@FunctionalInterface
public interface WitnessPolls {
    AnswerBook.Page look(Snapshot snapshot, Document cluster);
}
