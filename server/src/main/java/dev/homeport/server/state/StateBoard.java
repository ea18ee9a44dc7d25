package dev.homeport.server.state;

import dev.homeport.change.RecordedChange;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.ProbeResult;
import dev.homeport.observe.WitnessAnswer;
import dev.homeport.server.poll.PollSeen;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.PublishedCommit;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.Affected;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of every cluster. A cluster is looked at again when a commit touches it, when it polls or reports something new,
 * and when it may have become silent; so a question about the whole fleet costs no more than reading the answers.
 */
public final class StateBoard {
    private static final Logger LOG = LoggerFactory.getLogger(StateBoard.class);
    private static final Duration LOOK = Duration.ofMillis(250);

    private final LogFollower follower;
    private final Observed observed;
    private final InstantSource clock;
    private final RemovalWatch removals;
    private final StateChanges changes = new StateChanges();
    private final Convergence convergence = new Convergence();
    private final ConcurrentHashMap<String, Standing> standings = new ConcurrentHashMap<>();
    private final SilenceWatch silence = new SilenceWatch();
    private volatile @Nullable Snapshot looked;

    public StateBoard(LogFollower follower, Observed observed, RemovalWatch removals, InstantSource clock) {
        this.follower = follower;
        this.observed = observed;
        this.removals = removals;
        this.clock = clock;
    }

    public StateChanges changes() {
        return changes;
    }

    public Convergence convergence() {
        return convergence;
    }

    /** Everything about one cluster, as of now. */
    public ClusterReview review(Document cluster) {
        Snapshot snapshot = follower.live().current();
        noteRemovals(snapshot, cluster);
        return ClusterReview.of(snapshot, cluster, observed, clock.instant());
    }

    /** A commit of a moment ago may not have been looked at yet. */
    private void noteRemovals(Snapshot snapshot, Document cluster) {
        Snapshot before = looked;
        if (before != null && before.revision() < snapshot.revision()) {
            removals.look(before, snapshot, List.of(cluster.id()), clock.instant());
        }
    }

    /** What a cluster is asked about itself now. */
    public Answer witnesses(Document cluster) {
        return WitnessAnswer.of(follower.live().current(), cluster, observed, clock.instant());
    }

    /** What a cluster answered to a question that people asked; nothing when it is not asked. */
    public Optional<ProbeResult> probe(Document cluster, String probe) {
        return ProbeResult.ofAsked(follower.live().current(), cluster, probe, observed.witnesses(cluster.id()));
    }

    /** How a cluster is, as it was last looked at; looked at now if that never happened. */
    public Standing standing(Document cluster) {
        Standing known = standings.get(cluster.id());
        return known == null ? current(cluster) : known;
    }

    /** The same, looked at now. */
    public Standing current(Document cluster) {
        Snapshot snapshot = follower.live().current();
        noteRemovals(snapshot, cluster);
        return standing(snapshot, cluster, clock.instant());
    }

    /** When a cluster last polled, now: one that polls the same again and again is not looked at for that. */
    public Optional<Instant> lastPollAt(String cluster) {
        TypeCatalog types = follower.live().current().types();
        return types.itemTypes().stream()
                .map(name -> types.named(name).orElseThrow().plural())
                .flatMap(plural -> observed.lastSeen().last(cluster, plural).stream())
                .map(PollSeen::at)
                .max(Comparator.naturalOrder());
    }

    /** How often a cluster polls, for one that was looked at. */
    public Optional<Duration> interval(String cluster) {
        return Optional.ofNullable(standings.get(cluster)).map(Standing::interval);
    }

    public Optional<ClusterState> stateOf(String cluster) {
        return Optional.ofNullable(standings.get(cluster)).map(Standing::state);
    }

    /** All clusters, in no order. */
    public Collection<Standing> all() {
        return Collections.unmodifiableCollection(standings.values());
    }

    /** Waits a moment for news, and looks at whatever may have changed. */
    public void turn() throws InterruptedException {
        Snapshot before = looked;
        follower.live().await(before == null ? 0 : before.revision() + 1, LOOK);
        refresh();
    }

    synchronized void refresh() {
        Snapshot snapshot = follower.live().current();
        Instant now = clock.instant();
        boolean whole = false;
        try {
            Set<String> clusters = new HashSet<>(observed.reports().takeTouched());
            clusters.addAll(observed.lastSeen().takeTouched());
            clusters.addAll(silence.due(now));
            for (String id : union(clusters, touched(snapshot))) {
                look(snapshot, id, now);
            }
            removals.turn(snapshot, now);
            whole = true;
        } finally {
            if (!whole) {
                looked = null; // what was to be looked at is not known any more: everything
            }
        }
    }

    private static Iterable<String> union(Set<String> some, Collection<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** It is looked at when it polls again, also when it did so since it was looked at a moment ago. */
    private void awaitPoll(Standing standing) {
        observed.lastSeen().await(standing.cluster());
        Instant last = standing.lastPollAt();
        if (lastPollAt(standing.cluster())
                .filter(at -> last == null || at.isAfter(last))
                .isPresent()) {
            observed.lastSeen().touch(standing.cluster());
        }
    }

    private Collection<String> touched(Snapshot snapshot) {
        Snapshot before = looked;
        if (before != null && before.head().equals(snapshot.head())) {
            return List.of();
        }
        try {
            Optional<Set<String>> some = before == null ? Optional.empty() : touchedSince(before, snapshot);
            Set<String> clusters = some.isPresent() ? some.get() : everybody(snapshot);
            removals.look(before, snapshot, clusters, clock.instant());
            looked = snapshot;
            return clusters;
        } catch (StoreUnavailable e) {
            LOG.debug("which clusters were touched is asked again later", e);
            return List.of();
        }
    }

    /** Nothing when it may be any. */
    private Optional<Set<String>> touchedSince(Snapshot before, Snapshot after) {
        Optional<List<PublishedCommit>> commits = follower.feed().between(before.head(), after.head());
        if (commits.isEmpty()) {
            return Optional.empty();
        }
        Set<DocumentKey> keys = new HashSet<>();
        for (PublishedCommit commit : commits.get()) {
            commit.recorded().changes().stream().map(RecordedChange::key).forEach(keys::add);
        }
        if (keys.stream().anyMatch(key -> concernsAll(key.type(), after))) {
            return Optional.empty();
        }
        Set<String> clusters =
                new HashSet<>(Affected.by(keys, before, after.types()).clusters());
        clusters.addAll(Affected.by(keys, after, before.types()).clusters());
        return Optional.of(clusters);
    }

    private static boolean concernsAll(String type, Snapshot snapshot) {
        return type.equals(Types.TYPE)
                || type.equals(Types.SETTINGS)
                || type.equals(Types.PROBE)
                || snapshot.types().named(type).map(TypeDefinition::part).isEmpty();
    }

    private Set<String> everybody(Snapshot snapshot) {
        Set<String> all = new HashSet<>(standings.keySet());
        snapshot.all(Types.CLUSTER).values().forEach(cluster -> all.add(cluster.id()));
        return all;
    }

    private void look(Snapshot snapshot, String id, Instant now) {
        Document cluster = snapshot.document(Types.CLUSTER, id);
        if (cluster == null) {
            standings.remove(id);
            silence.forget(id);
            convergence.forget(id);
            return;
        }
        try {
            Standing next = standing(snapshot, cluster, now);
            Standing before = standings.put(id, next);
            if (silence.looked(next, now)) {
                awaitPoll(next);
            }
            if (before != null) {
                convergence.look(before, next, now);
                if (before.state() != next.state()) {
                    changes.add(id, before.state(), next.state(), now);
                }
            }
        } catch (RuntimeException e) {
            LOG.error("cannot determine the state of cluster {}", id, e);
        }
    }

    private Standing standing(Snapshot snapshot, Document cluster, Instant now) {
        Document life = snapshot.document(Types.CLUSTER_LIFE, cluster.id());
        Instant lifeSince =
                life == null ? cluster.created().at() : life.updated().at();
        return Standing.of(cluster, ClusterReview.of(snapshot, cluster, observed, now), lifeSince);
    }
}
