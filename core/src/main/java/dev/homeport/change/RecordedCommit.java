package dev.homeport.change;

import java.util.List;
import java.util.Optional;

/**
 * A commit with its changes, in the order they were proposed.
 *
 * @param redactedHash of a commit whose own texts were blanked, the hash that it has since, as a later commit holds it
 */
public record RecordedCommit(Commit commit, List<RecordedChange> changes, Optional<String> redactedHash) {
    public RecordedCommit {
        changes = List.copyOf(changes);
    }

    public RecordedCommit(Commit commit, List<RecordedChange> changes) {
        this(commit, changes, Optional.empty());
    }

    public CommitOutline outline() {
        return new CommitOutline(
                commit, changes.stream().map(RecordedChange::outline).toList());
    }

    /** Whether it matches its hash, also after a redaction. */
    public boolean isGenuine() {
        List<String> digests = changes.stream()
                .map(change -> CommitHash.ofChange(change.key(), change.payloadDigest()))
                .toList();
        String hash = CommitHash.ofCommit(commit, digests);
        return hash.equals(commit.hash()) || redactedHash.filter(hash::equals).isPresent();
    }
}
