package dev.homeport.change;

import java.util.List;

/** A commit with the outlines of its changes, in the order they were proposed. Payloads are neither read nor checked. */
public record CommitOutline(Commit commit, List<ChangeOutline> changes) {
    public CommitOutline {
        changes = List.copyOf(changes);
    }
}
