package dev.homeport.snapshot;

import dev.homeport.change.RecordedCommit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A commit as it was published: what it changed, and the fleet before and after it. */
public final class PublishedCommit {
    private final RecordedCommit recorded;
    private final Snapshot before;
    private final Snapshot after;
    private final ConcurrentHashMap<Object, String> texts = new ConcurrentHashMap<>();

    PublishedCommit(RecordedCommit recorded, Snapshot before, Snapshot after) {
        this.recorded = recorded;
        this.before = before;
        this.after = after;
    }

    public RecordedCommit recorded() {
        return recorded;
    }

    public Snapshot before() {
        return before;
    }

    public Snapshot after() {
        return after;
    }

    public long revision() {
        return recorded.commit().revision();
    }

    /** A text that many readers get of this commit: written once, kept as long as the feed keeps the commit. */
    public String text(Object form, Supplier<String> writer) {
        return texts.computeIfAbsent(form, _ -> writer.get());
    }
}
