package dev.homeport.server.state;

import dev.homeport.change.CommitQuery;
import dev.homeport.change.History;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.RemovedItem;
import dev.homeport.observe.Report;
import dev.homeport.snapshot.PastView;
import dev.homeport.snapshot.PastWalk;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Removals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Notes what clusters are no longer given, so that it can be followed until they show that it is gone. Each server does that
 * for each commit; at a start, for what clusters have not fetched yet.
 */
public final class RemovalWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RemovalWatch.class);

    /** Reading the past is slow, and other work waits for a turn. */
    private static final int MOST_AT_A_TURN = 100;

    /** How far back the log is read for a cluster whose polls are not known, and how many of its changes. */
    private static final Duration RECENT = Duration.ofDays(1);

    private static final int MOST_CHANGES = 50;

    private final History history;
    private final Observed observed;
    private final ClusterContact contact;
    private final BooleanSupplier knowsPolls;
    private final Consumer<Report> store;

    /** Of which it is still to be found out what they were given last. */
    private Set<String> unread = Set.of();

    /**
     * @param knowsPolls whether the polls before this server's start are known
     * @param store keeps a report that is not known yet
     */
    public RemovalWatch(
            History history,
            Observed observed,
            ClusterContact contact,
            BooleanSupplier knowsPolls,
            Consumer<Report> store) {
        this.history = history;
        this.observed = observed;
        this.contact = contact;
        this.knowsPolls = knowsPolls;
        this.store = store;
    }

    /** To be called again and again: what could not be read before is read now. */
    synchronized void turn(Snapshot snapshot, Instant now) {
        if (!unread.isEmpty() && knowsPolls.getAsBoolean()) {
            Map<Boolean, List<String>> parts = new HashMap<>();
            for (String cluster : unread) {
                boolean later = parts.getOrDefault(false, List.of()).size() >= MOST_AT_A_TURN;
                parts.computeIfAbsent(later, part -> new ArrayList<>()).add(cluster);
            }
            unread = Set.copyOf(parts.getOrDefault(true, List.of()));
            sinceLastPolls(snapshot, parts.getOrDefault(false, List.of()), now);
        }
    }

    /** @param before what was looked at last, null at a start */
    synchronized void look(@Nullable Snapshot before, Snapshot after, Collection<String> clusters, Instant now) {
        if (before == null || !before.head().storeId().equals(after.head().storeId())) {
            unread = Set.copyOf(clusters);
            return;
        }
        Removals removals = new Removals(before, after, contact);
        clusters.forEach(cluster -> note(removals.of(cluster), after, cluster, now));
    }

    private void sinceLastPolls(Snapshot after, Collection<String> clusters, Instant now) {
        Map<Long, Removals> byRevision = new HashMap<>();
        for (String cluster : clusters) {
            OptionalLong polled = polledRevision(after, cluster);
            try {
                if (polled.isEmpty()) {
                    ofRecentChanges(after, cluster, now);
                } else if (polled.getAsLong() < after.revision()) {
                    Removals removals = byRevision.computeIfAbsent(
                            polled.getAsLong(), revision -> new Removals(past(revision), after, contact));
                    note(removals.of(cluster), after, cluster, now);
                }
            } catch (RuntimeException e) {
                LOG.warn(
                        "what cluster {} was no longer given before this start is not known: {}",
                        cluster,
                        e.getMessage());
            }
        }
    }

    /** For a cluster whose polls are not known, because it is new or because the observed store was lost. */
    private void ofRecentChanges(Snapshot after, String cluster, Instant now) {
        PastWalk walk = new PastWalk(history, after, cluster);
        Map<String, Removals.Removed> all = new LinkedHashMap<>();
        history.commits(CommitQuery.newest(MOST_CHANGES)
                        .concerning(cluster)
                        .between(Optional.of(now.minus(RECENT)), Optional.empty()))
                .forEach(commit -> new Removals(walk.at(commit.revision() - 1), after, contact)
                        .of(cluster)
                        .forEach(removed -> all.putIfAbsent(
                                removed.plural() + "/" + removed.change().id(), removed)));
        note(all.values(), after, cluster, now);
    }

    private FleetView past(long revision) {
        return new PastView(history, revision);
    }

    /** The oldest that a type was last served from. */
    private OptionalLong polledRevision(Snapshot snapshot, String cluster) {
        return snapshot.types().itemTypes().stream()
                .map(name -> snapshot.types().named(name).orElseThrow())
                .map(TypeDefinition::plural)
                .flatMap(plural -> observed.poll(cluster, plural).stream())
                .mapToLong(ObservedPoll::revision)
                .min();
    }

    private void note(Collection<Removals.Removed> all, Snapshot after, String cluster, Instant now) {
        Document document = after.document(Types.CLUSTER, cluster);
        if (document == null) {
            return;
        }
        for (Removals.Removed removed : all) {
            RemovedItem item = new RemovedItem(
                    removed.plural(),
                    removed.change().id(),
                    objects(removed),
                    removed.change().kept(),
                    now,
                    after.revision());
            Report report = item.report(cluster, now);
            if (observed.reports().add(report)) {
                store.accept(report);
            }
        }
    }

    /** Which kind of object the item was made into, and where. */
    private static String objects(Removals.Removed removed) {
        ObjectNode body = removed.change().fieldsBefore().orElseThrow();
        return switch (removed.plural()) {
            case "platform-components" ->
                body.path("kind").asString("").equals("helm") ? "HelmRelease" : "Kustomization";
            case "namespaces" -> "Namespace";
            case "rolebindings" ->
                body.has("namespace") ? "RoleBinding/" + body.path("namespace").asString("") : "ClusterRoleBinding";
            default -> "";
        };
    }
}
