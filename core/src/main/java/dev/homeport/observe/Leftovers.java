package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What keeps a cluster that leaves from being drained: each type that it has polled or had something of must be polled empty,
 * every component reported as removed, and nothing else seen on the cluster that should be gone.
 */
final class Leftovers {
    private final FleetView view;
    private final ClusterLife life;
    private final List<Report> reports;
    private final RemovalWitnesses witnesses;
    private final Instant since;
    private final SortedMap<String, Wanted.Part> layers;

    /** @param since when the cluster began to leave */
    Leftovers(
            FleetView view,
            Document cluster,
            ClusterLife life,
            List<Report> reports,
            RemovalWitnesses witnesses,
            Instant since) {
        this.view = view;
        this.life = life;
        this.reports = reports;
        this.witnesses = witnesses;
        this.since = since;
        this.layers = Wanted.regardlessOfLife(view, cluster).components();
    }

    /** In words: what, and why; empty when the cluster is drained. */
    List<String> of(List<TypeReview> types, List<RemovalReview> removals) {
        List<String> left = new ArrayList<>();
        if (types.stream().allMatch(type -> type.poll().isEmpty())) {
            left.add("no poll of the cluster is known");
        }
        for (TypeReview type : types) {
            boolean mayHaveSome = type.poll().isPresent() || hadSome(type.plural());
            if (mayHaveSome && !type.isCurrent()) {
                left.add(type.plural() + ": the cluster has not fetched the empty answer yet");
            }
        }
        for (String id : mayStillBeThere(types)) {
            if (!wasRemoved(id)) {
                left.add(why(id));
            }
        }
        String components = plural(Types.PLATFORM_COMPONENT);
        removals.stream()
                .filter(removal -> removal.state() == RemovalReview.State.REMOVING
                        && !removal.item().plural().equals(components))
                .forEach(removal -> left.add(name(removal.item()) + ": " + removal.reason()));
        return left;
    }

    private String name(RemovedItem item) {
        return view.types().withPlural(item.plural()).map(TypeDefinition::name).orElse(item.plural()) + "/" + item.id();
    }

    private boolean hadSome(String plural) {
        return life.filled().stream().anyMatch(name -> plural(name).equals(plural));
    }

    private Set<String> mayStillBeThere(List<TypeReview> types) {
        TreeSet<String> ids = new TreeSet<>();
        String plural = plural(Types.PLATFORM_COMPONENT);
        if (types.stream()
                .anyMatch(type -> type.plural().equals(plural) && type.poll().isPresent())) {
            ids.addAll(layers.keySet());
        }
        String prefix = Report.component("");
        reports.stream()
                .filter(report -> report.subject().startsWith(prefix))
                .forEach(report -> ids.add(report.subject().substring(prefix.length())));
        return ids;
    }

    private boolean wasRemoved(String component) {
        if (witnesses.present(Report.component(component)).isPresent()) {
            return false; // whatever a controller says, the object is still there
        }
        Optional<Report> removal = Progress.removal(about(component));
        // One that was removed before the decommission, and has not been reported since, counts as removed.
        return removal.isPresent() && (!removal.get().receivedAt().isBefore(since) || !layers.containsKey(component));
    }

    private String why(String component) {
        String name = Types.PLATFORM_COMPONENT + "/" + component;
        Optional<WitnessedObject> deleting =
                witnesses.present(Report.component(component)).filter(WitnessedObject::isDeleting);
        if (deleting.isPresent()) {
            return name + ": " + RemovalWitnesses.reason(deleting.get());
        }
        Document catalog = view.document(Types.PLATFORM_COMPONENT, component);
        if (catalog != null
                && catalog.fault().isEmpty()
                && catalog.tree().path("stateful").booleanValue(false)) {
            return name + ": it is stateful, so Flux keeps it. Delete the ResourceSet c-" + component
                    + " on the cluster, or undelete the cluster, set stateful to false, wait until that has arrived and"
                    + " decommission again";
        }
        return name + ": "
                + about(component).stream()
                        .filter(report -> report.verdict() == Verdict.FAILED
                                && !report.receivedAt().isBefore(since))
                        .max(Report.AGE)
                        .map(report -> report.message().strip())
                        .orElse("the cluster has not reported it as removed");
    }

    private List<Report> about(String component) {
        String subject = Report.component(component);
        return reports.stream()
                .filter(report -> report.subject().equals(subject))
                .toList();
    }

    private String plural(String type) {
        return view.types().named(type).map(TypeDefinition::plural).orElse("");
    }
}
