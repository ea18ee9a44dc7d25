package dev.homeport.change;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Readings of the past. The contract suite covers every sentence here too. */
public interface History {

    /** The commit with its changes; empty when there is no such revision. */
    Optional<RecordedCommit> commit(long revision);

    /** The commit with the outlines of its changes; empty when there is no such revision. */
    Optional<CommitOutline> outline(long revision);

    /**
     * The document as it was when the given revision was the head; empty when it did not exist then. Its stamps are those of
     * the commits that made it and last changed it at that time; a document that was removed and created again counts as new.
     */
    Optional<Document> documentAt(DocumentKey key, long revision);

    /** The same for many documents, with few queries; those that did not exist then are left out. */
    Map<DocumentKey, Document> documentsAt(Collection<DocumentKey> keys, long revision);

    /** All documents of a type as they were at a revision, ordered by id. */
    List<Document> documentsAt(String type, long revision);

    /** Commits that changed the document, newest first, with a revision below the given one, at most {@code limit}. */
    List<Commit> commitsOf(DocumentKey key, long below, int limit);

    /**
     * Commits that the query describes, newest first, at most {@code query.limit()}. To go on, ask again below the last one's
     * revision: what was committed meanwhile does not move the pages.
     */
    List<Commit> commits(CommitQuery query);

    /** The last revision whose commit is not after the given time; 0 when the log starts later. */
    long revisionAt(Instant time);
}
