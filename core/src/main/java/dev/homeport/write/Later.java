package dev.homeport.write;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.fleet.Expired;
import dev.homeport.fleet.Expiries;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Overlay;
import dev.homeport.fleet.Tiers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happens when everything in a document has run out. Setting an expiry is planned as the later removal and confirmed
 * then, so that the loop that removes it may do exactly that and no more.
 */
record Later(DocumentKey key, Optional<Instant> from, List<Effect> effects, List<String> guards) {

    /** Nothing when the document holds nothing that expires. */
    static Optional<Later> of(
            Draft draft, FleetView before, Document document, ClusterContact contact, boolean direct) {
        if (document.fault().isPresent() || Expiries.soonest(document).isEmpty()) {
            return Optional.empty();
        }
        return switch (document.type()) {
            case Types.CLUSTER ->
                Optional.of(
                        Cluster.of(document).expiresAt() == null
                                ? rest(draft, before, document, contact, direct)
                                : leaving(draft, before, document, contact, direct)
                                        .guarded(draft, document, contact, direct));
            case Types.CLUSTER_LIFE -> {
                ClusterLife life = ClusterLife.of(document);
                yield life.leaveAt() == null && !life.releasing()
                        ? Optional.empty()
                        : Optional.of(leaving(draft, before, document, contact, direct)
                                .guarded(draft, document, contact, direct));
            }
            case Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE ->
                Optional.of(rest(draft, before, document, contact, direct));
            default -> Optional.empty();
        };
    }

    /** Overrides, patches and aliases go; the document stays. */
    private static Later rest(
            Draft draft, FleetView before, Document document, ClusterContact contact, boolean direct) {
        Document after = Document.of(
                document.key(), Body.of(Expired.without(document, Instant.MAX)), document.created(), draft.stamp());
        Operation removal = new Operation.Replace(document.key(), after.tree(), Expected.ANY);
        return planned(draft, before, document, after, removal, contact, direct);
    }

    /** The cluster goes. */
    private static Later leaving(
            Draft draft, FleetView before, Document document, ClusterContact contact, boolean direct) {
        String id = document.id();
        ClusterLife left = draft.life(id).withPhase(ClusterLife.Phase.LEAVING, draft.revision());
        Document life =
                Document.of(ClusterLifeForm.key(id), ClusterLifeForm.write(id, left), draft.stamp(), draft.stamp());
        Operation removal = new Operation.Decommission(id, Optional.empty());
        return planned(draft, before, document, life, removal, contact, direct);
    }

    /**
     * Deleting one unprotected cluster is its own confirmation. Setting its end is not: it looks like any other edit, and by the
     * time it takes effect no person may be watching. A direct decommission with a grace does say what it is.
     */
    private Later guarded(Draft draft, Document document, ClusterContact contact, boolean direct) {
        boolean isCluster = document.type().equals(Types.CLUSTER);
        boolean matters = !direct
                || isCluster && (contact.mayHavePolled(document.id()) || isProtected(draft, Cluster.of(document)));
        return !matters || !guards.isEmpty() || !isNearer(draft, document)
                ? this
                : new Later(
                        key,
                        from,
                        effects,
                        List.of("when " + key + " expires: it is decommissioned, and what it got is removed from it"));
    }

    private static boolean isProtected(Draft draft, Cluster cluster) {
        return new Tiers(draft.before().all(Types.ENVIRONMENT).values()).isProtected(cluster);
    }

    private static boolean isNearer(Draft draft, Document document) {
        Instant then = draft.before()
                .find(document.key())
                .filter(known -> known.fault().isEmpty())
                .map(Later::end)
                .orElse(Instant.MAX);
        return end(document).isBefore(then);
    }

    private static Instant end(Document document) {
        if (document.type().equals(Types.CLUSTER)) {
            Instant end = Cluster.of(document).expiresAt();
            return end == null ? Instant.MAX : end;
        }
        ClusterLife life = ClusterLife.ifReadable(document).orElse(ClusterLife.NEWBORN);
        Instant leaveAt = life.leaveAt();
        return leaveAt != null ? leaveAt : life.releasing() ? Instant.MIN : Instant.MAX;
    }

    private static Later planned(
            Draft draft,
            FleetView before,
            Document expiring,
            Document after,
            Operation removal,
            ClusterContact contact,
            boolean direct) {
        Affected affected = Affected.by(List.of(expiring.key()), draft);
        Overlay view = new Overlay(before, draft.types(), Map.of(after.key(), Optional.of(after)));
        Examination examination = new Examination(before, view, affected.types(), draft.revision(), contact);
        List<Effect> effects = affected.clusters().stream()
                .flatMap(cluster -> examination.examine(cluster).effects().stream())
                .toList();
        List<String> guards = Guards.tripped(draft, effects, List.of(removal), direct).stream()
                .map(guard -> "when " + expiring.key() + " expires: " + guard)
                .toList();
        // A cluster that releases its namespaces first goes when it has.
        Optional<Instant> from = Expiries.soonest(expiring).filter(time -> !time.equals(Instant.EPOCH));
        return new Later(expiring.key(), from, effects, guards);
    }

    /** The name of the commit's mark that says this removal was confirmed. */
    static String mark(DocumentKey key) {
        return "expiry " + key;
    }
}
