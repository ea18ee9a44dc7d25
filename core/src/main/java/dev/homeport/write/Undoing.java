package dev.homeport.write;

import dev.homeport.api.ErrorCode;
import dev.homeport.change.History;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the past into operations: the opposite of a commit, or one document as it once was. */
public final class Undoing {
    private Undoing() {}

    /** Operations that take a commit back. They become a new commit; nothing is taken out of the log. */
    public static List<Operation> commit(History history, long revision) {
        RecordedCommit commit = history.commit(revision).orElseThrow(() -> noSuch(revision));
        List<Operation> operations = new ArrayList<>();
        for (RecordedChange change : commit.changes()) {
            if (change.redacted()) {
                throw redacted(change.key(), revision);
            }
            Optional<Document> before = history.documentAt(change.key(), revision - 1);
            before.flatMap(Document::fault).ifPresent(fault -> {
                throw redacted(change.key(), before.get().updated().revision());
            });
            operations.add(new Operation.Undo(change.key(), before.map(Document::body), change.after()));
        }
        return operations;
    }

    /** Operations that make a document what it was when the revision was the head. */
    public static List<Operation> document(History history, DocumentKey key, long revision) {
        Optional<Document> then = history.documentAt(key, revision);
        then.flatMap(Document::fault).ifPresent(fault -> {
            throw redacted(key, then.get().updated().revision());
        });
        return List.of(then.<Operation>map(document -> new Operation.Put(key, document.tree()))
                .orElseGet(() -> new Operation.Delete(key, Expected.ANY)));
    }

    private static ProblemException noSuch(long revision) {
        return ProblemException.refused(
                ErrorCode.NOT_FOUND, "there is no revision " + revision, "list the changes to find the right one");
    }

    private static ProblemException redacted(DocumentKey key, long revision) {
        return ProblemException.refused(
                ErrorCode.CONFLICT,
                key + " was redacted in revision " + revision + " and cannot be brought back from there",
                "restore the document from another revision",
                List.of(Long.toString(revision)));
    }
}
