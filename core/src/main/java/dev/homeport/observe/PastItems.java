package dev.homeport.observe;

import dev.homeport.change.Commit;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.snapshot.PastWalk;
import dev.homeport.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;

/** Which items were ever delivered to a cluster. Nothing is stored for this: it is computed from the log. */
public final class PastItems {
    /** A look costs some tenths of a millisecond. */
    private static final int MOST_EXAMINED = 1_000;

    private static final int BATCH = 100;

    private PastItems() {}

    /** Whether an item of this digest was ever part of the cluster's answers; empty when it takes too long to find out. */
    public static Optional<Boolean> contain(
            History history, Snapshot present, String cluster, String component, String digest) {
        PastWalk walk = new PastWalk(history, present, cluster);
        long below = present.revision() + 1;
        for (int examined = 0; examined < MOST_EXAMINED; examined += BATCH) {
            List<Commit> some =
                    history.commits(CommitQuery.newest(BATCH).below(below).concerning(cluster));
            for (Commit commit : some) {
                below = commit.revision();
                if (isWanted(walk.at(below), cluster, component, digest)) {
                    return Optional.of(true);
                }
            }
            if (some.size() < BATCH) {
                return Optional.of(false);
            }
        }
        return Optional.empty();
    }

    private static boolean isWanted(FleetView view, String cluster, String component, String digest) {
        Document document = view.document(Types.CLUSTER, cluster);
        Wanted.Part part = document == null || document.fault().isPresent()
                ? null
                : Wanted.of(view, document).components().get(component);
        return part != null && part.digest().equals(digest);
    }
}
