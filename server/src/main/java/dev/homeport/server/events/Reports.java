package dev.homeport.server.events;

import dev.homeport.observe.Report;
import dev.homeport.observe.Witness;
import dev.homeport.observe.WitnessQuestion;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The newest reports of every cluster, in memory. */
public final class Reports {
    /** Enough for a thousand components; a sender with a cluster's key must not be able to fill the memory with it. */
    private static final int MOST_OF_A_CLUSTER = 5_000;

    private static final int MOST_SHARED = 100_000;

    private final ConcurrentHashMap<String, ConcurrentHashMap<Report.Key, Report>> byCluster =
            new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, ConcurrentHashMap<String, Witness>> witnesses = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Long> versions = new ConcurrentHashMap<>();
    private final Set<String> touched = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, String> shared = new ConcurrentHashMap<>();

    private volatile Function<String, Collection<WitnessQuestion>> questions = cluster -> List.of();

    /** @param more gives what a cluster is to be asked besides its types and components */
    public void ask(Function<String, Collection<WitnessQuestion>> more) {
        questions = more;
    }

    public Collection<WitnessQuestion> questions(String cluster) {
        return questions.apply(cluster);
    }

    /** True if it was new. */
    public boolean add(Report given) {
        Report report = compact(given);
        ConcurrentHashMap<Report.Key, Report> own =
                byCluster.computeIfAbsent(report.cluster(), id -> new ConcurrentHashMap<>());
        if (own.size() >= MOST_OF_A_CLUSTER && !own.containsKey(report.key())) {
            return false;
        }
        Report kept = own.merge(report.key(), report, (known, next) -> next.isNewerThan(known) ? next : known);
        if (kept == report) {
            touch(report.cluster());
            return true;
        }
        return false;
    }

    /** The same for what a witness said. */
    public boolean add(Witness witness) {
        ConcurrentHashMap<String, Witness> own =
                witnesses.computeIfAbsent(witness.cluster(), id -> new ConcurrentHashMap<>());
        if (own.size() >= MOST_OF_A_CLUSTER && !own.containsKey(witness.id())) {
            return false;
        }
        Witness kept = own.merge(witness.id(), witness, (known, next) -> next.isNewerThan(known) ? next : known);
        if (kept == witness) {
            touch(witness.cluster());
            return true;
        }
        return false;
    }

    private void touch(String cluster) {
        versions.merge(cluster, 1L, Long::sum);
        touched.add(cluster);
    }

    /** Changes with every new report about the cluster. */
    public long version(String cluster) {
        return versions.getOrDefault(cluster, 0L);
    }

    public Collection<Witness> witnesses(String cluster) {
        ConcurrentHashMap<String, Witness> own = witnesses.get(cluster);
        return own == null ? List.of() : own.values();
    }

    public Collection<Report> of(String cluster) {
        ConcurrentHashMap<Report.Key, Report> own = byCluster.get(cluster);
        return own == null ? List.of() : own.values();
    }

    boolean hasAbout(String cluster, String subject) {
        return of(cluster).stream().anyMatch(report -> report.subject().equals(subject));
    }

    /** Clusters with new reports since the last call. */
    public Set<String> takeTouched() {
        Set<String> taken = Set.copyOf(touched);
        touched.removeAll(taken);
        return taken;
    }

    /** Forgets clusters that are no more, and says which. One that reported lately may be so new that only others know it. */
    public Set<String> forget(Predicate<String> exists, Instant quietSince) {
        Set<String> gone = new HashSet<>();
        byCluster.forEach((cluster, own) -> {
            boolean quiet =
                    own.values().stream().allMatch(report -> report.receivedAt().isBefore(quietSince));
            if (quiet && !exists.test(cluster)) {
                gone.add(cluster);
            }
        });
        witnesses.forEach((cluster, own) -> {
            boolean quiet = own.values().stream()
                    .allMatch(witness -> witness.receivedAt().isBefore(quietSince));
            if (quiet && !byCluster.containsKey(cluster) && !exists.test(cluster)) {
                gone.add(cluster);
            }
        });
        byCluster.keySet().removeAll(gone);
        witnesses.keySet().removeAll(gone);
        versions.keySet().removeAll(gone);
        return gone;
    }

    /** The same few words stand in the reports of ten thousand clusters. */
    private Report compact(Report report) {
        UnaryOperator<String> one = text -> {
            String known = shared.get(text);
            if (known == null && shared.size() < MOST_SHARED) {
                known = shared.putIfAbsent(text, text);
            }
            return known == null ? text : known;
        };
        return new Report(
                one.apply(report.cluster()),
                one.apply(report.subject()),
                one.apply(report.object()),
                report.verdict(),
                report.at(),
                report.resourceVersion(),
                report.body(),
                one.apply(report.revision()),
                report.answer(),
                report.item(),
                one.apply(report.reason()),
                report.message(),
                report.receivedAt());
    }
}
