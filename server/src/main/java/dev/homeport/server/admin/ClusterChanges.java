package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.change.Commit;
import dev.homeport.change.CommitQuery;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.snapshot.PastWalk;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Commits that concern a cluster: those that changed its own document, and those that changed its answers through a document
 * that it shares with others. Nothing is stored for this; the answers before and after are compared.
 */
final class ClusterChanges implements CommitPages.Source {
    /** A look costs some tenths of a millisecond. */
    private static final int MOST_EXAMINED = 10_000;

    private static final int BATCH = 200;

    private final History history;
    private final PastWalk walk;
    private final CommitQuery query;
    private final String cluster;
    private final Powers powers;
    private final boolean seen;
    private int examined;

    /** @param query with everything but the cluster */
    ClusterChanges(Services services, Powers powers, CommitQuery query, String cluster) {
        this.history = services.history();
        this.walk = new PastWalk(services.history(), services.snapshot(), cluster);
        this.query = query;
        this.cluster = cluster;
        this.powers = powers;
        this.seen = powers.seesAll()
                || Optional.ofNullable(services.snapshot().document(Types.CLUSTER, cluster))
                        .filter(powers::sees)
                        .isPresent();
    }

    @Override
    public List<Commit> below(long revision, int limit) {
        List<Commit> found = new ArrayList<>();
        if (!seen) {
            return found;
        }
        long below = revision;
        while (true) {
            List<Commit> some =
                    history.commits(query.concerning(cluster).below(below).atMost(BATCH));
            Set<Long> own = own(below);
            for (Commit commit : some) {
                WorkBudget.current().check();
                below = commit.revision();
                if (isSeenThen(below) && (own.contains(below) || walk.changedAnswers(commit))) {
                    found.add(commit);
                    if (found.size() >= limit) {
                        return found;
                    }
                }
            }
            if (some.size() < BATCH) {
                return found;
            }
            examined += some.size();
            if (examined > MOST_EXAMINED) {
                throw ProblemException.invalid(
                        "/cluster",
                        "among the last " + MOST_EXAMINED + " changes of shared documents there are not enough for this"
                                + " page",
                        "ask for a smaller page_size, or set until to "
                                + some.getLast().at() + " to go on from there");
            }
        }
    }

    /** The name may have been another cluster's, and the cluster in another's workspace. */
    private boolean isSeenThen(long revision) {
        return powers.seesAll() || seesAt(revision) || seesAt(revision - 1);
    }

    private boolean seesAt(long revision) {
        Document document = walk.at(revision).document(Types.CLUSTER, cluster);
        return document != null && powers.sees(document);
    }

    private Set<Long> own(long below) {
        Set<Long> own = new HashSet<>();
        history.commits(query.changing(Set.of(Types.CLUSTER, Types.CLUSTER_LIFE), Optional.of(cluster))
                        .below(below)
                        .atMost(BATCH))
                .forEach(commit -> own.add(commit.revision()));
        return own;
    }
}
