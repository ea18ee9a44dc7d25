package dev.homeport.server.state;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.WireShape;
import dev.homeport.observe.ClusterReview;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.ClusterContact;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** What the writer knows of clusters from observations. If uncertain, it gives the answer that removes less. */
public final class ObservedContact implements ClusterContact {
    private static final String FLAT = WireShape.FLAT.name().toLowerCase(Locale.ROOT);

    private final PollKeeper keeper;
    private final LogFollower follower;
    private final Observed observed;
    private final InstantSource clock;
    private final ObserverWatch watch;

    public ObservedContact(PollKeeper keeper, LogFollower follower, Observed observed, InstantSource clock) {
        this.keeper = keeper;
        this.follower = follower;
        this.observed = observed;
        this.clock = clock;
        this.watch = new ObserverWatch(keeper);
    }

    @Override
    public boolean mayHavePolled(String cluster) {
        Snapshot snapshot = follower.live().current();
        Document document = snapshot.document(Types.CLUSTER, cluster);
        // An observed store that was lost is empty: only one that has watched since before the cluster was made can
        // tell.
        boolean watched = document == null
                || watch.coversAllSince(snapshot, document.created().revision());
        return !watched || keeper.mayHavePolled(cluster);
    }

    @Override
    public boolean wasServed(String cluster) {
        return keeper.wasServed(cluster);
    }

    @Override
    public boolean drained(String cluster) {
        return is(cluster, ClusterReview::drained);
    }

    @Override
    public List<String> leftOn(String cluster) {
        return review(cluster).map(ClusterReview::left).orElse(List.of());
    }

    @Override
    public boolean pollsFlat(String cluster) {
        return follower.live().current().types().itemTypes().stream()
                .map(name -> follower.live().current().types().named(name).orElseThrow())
                .flatMap(type -> observed.poll(cluster, type.plural()).stream())
                .anyMatch(poll -> poll.shape().equals(FLAT));
    }

    @Override
    public boolean released(String cluster) {
        return is(cluster, ClusterReview::released);
    }

    private boolean is(String cluster, Predicate<ClusterReview> question) {
        return review(cluster).filter(question).isPresent();
    }

    private Optional<ClusterReview> review(String cluster) {
        Snapshot snapshot = follower.live().current();
        return Optional.ofNullable(snapshot.document(Types.CLUSTER, cluster))
                .map(document -> ClusterReview.of(snapshot, document, observed, clock.instant()));
    }
}
