package dev.homeport.snapshot;

import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.change.RecordedChange;
import dev.homeport.change.RecordedCommit;
import dev.homeport.document.Document;
import dev.homeport.document.SchemaVersion;
import dev.homeport.document.Stamp;

/** A snapshot and the next commit give the next snapshot. Pure, and as much work as there are changes. */
public final class Projection {
    private Projection() {}

    public static Snapshot apply(Snapshot before, RecordedCommit recorded) {
        Commit commit = recorded.commit();
        SnapshotEditor editor = before.edit();
        Stamp stamp = commit.stamp();
        for (RecordedChange change : recorded.changes()) {
            if (change.after().isEmpty()) {
                editor.remove(change.key());
                continue;
            }
            Stamp created = before.find(change.key()).map(Document::created).orElse(stamp);
            editor.put(
                    change.redacted()
                            ? Document.broken(change.key(), "the body was redacted", created, stamp)
                            : SchemaVersion.read(
                                    Document.of(change.key(), change.after().get(), created, stamp)));
        }
        Head head = new Head(before.head().storeId(), commit.epoch(), commit.revision(), commit.hash());
        return editor.done(head, commit.at());
    }
}
