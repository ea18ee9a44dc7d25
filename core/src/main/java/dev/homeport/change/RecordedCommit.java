package dev.homeport.change;

import java.util.List;

/** A commit with its changes, in the order they were proposed. */
public record RecordedCommit(Commit commit, List<RecordedChange> changes) {
    public RecordedCommit {
        changes = List.copyOf(changes);
    }
}
