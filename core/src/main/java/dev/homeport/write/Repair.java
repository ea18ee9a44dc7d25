package dev.homeport.write;

import dev.homeport.change.History;
import dev.homeport.change.StoreCorrupt;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.problem.WorkBudget;
import dev.homeport.snapshot.Snapshot;
import java.util.Optional;

/** Finds what the log still knows of a cluster's record that cannot be read. */
public final class Repair {
    private Repair() {}

    /**
     * The record as the commit wrote it that wrote it last, so that the cluster gets the answers that it had; without one the
     * operation detaches the cluster.
     */
    public static Operation cluster(Snapshot snapshot, History history, String cluster) {
        Optional<Body> written = snapshot.find(ClusterLifeForm.key(cluster))
                .filter(life -> !isReadable(life)) // a readable one is not repaired, so the log need not be read
                .flatMap(life -> written(history, life));
        return new Operation.Repair(cluster, written);
    }

    private static Optional<Body> written(History history, Document life) {
        WorkBudget.current().spend(WorkBudget.COMMIT_READ);
        try {
            return history.commit(life.updated().revision()).stream()
                    .flatMap(commit -> commit.changes().stream())
                    .filter(change -> change.key().equals(life.key()) && !change.redacted())
                    .flatMap(change -> change.after().stream())
                    .filter(body -> isReadable(life.key(), body, life))
                    .findFirst();
        } catch (StoreCorrupt e) {
            return Optional.empty();
        }
    }

    private static boolean isReadable(DocumentKey key, Body body, Document life) {
        return isReadable(Document.of(key, body, life.created(), life.updated()));
    }

    static boolean isReadable(Document life) {
        return ClusterLife.ifReadable(life).isPresent();
    }
}
