package dev.homeport.write;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.ClusterLifeForm;
import dev.homeport.fleet.Expiries;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Overlay;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happens when everything in a document has run out. Setting an expiry is planned as the later removal and confirmed
 * then, so that the loop that removes it may do exactly that and no more.
 */
record Later(DocumentKey key, List<Effect> effects, List<String> guards) {

    /** Nothing when the document holds nothing that expires. */
    static Optional<Later> of(Draft draft, Document document) {
        if (document.fault().isPresent() || Expiries.soonest(document).isEmpty()) {
            return Optional.empty();
        }
        return switch (document.type()) {
            case Types.CLUSTER, Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE ->
                Optional.of(planned(draft, document));
            default -> Optional.empty();
        };
    }

    private static Later planned(Draft draft, Document document) {
        FleetView before = draft.view();
        Document after = Document.of(
                document.key(), Body.of(Expired.without(document, Instant.MAX)), document.created(), draft.stamp());
        Map<DocumentKey, Optional<Document>> change = Map.of(document.key(), Optional.of(after));
        Operation removal = new Operation.Replace(document.key(), after.tree(), Expected.ANY);
        if (document.type().equals(Types.CLUSTER) && Cluster.of(document).expiresAt() != null) {
            String id = document.id();
            ClusterLife left = draft.life(id).withPhase(ClusterLife.Phase.LEAVING, draft.revision());
            DocumentKey lifeKey = ClusterLifeForm.key(id);
            Document life =
                    Document.of(lifeKey, ClusterLifeForm.write(id, left), draft.stamp(), draft.stamp());
            change = Map.of(lifeKey, Optional.of(life));
            removal = new Operation.Decommission(id, Optional.empty());
        }
        Affected affected = Affected.by(List.of(document.key()), draft);
        Examination examination = new Examination(
                before, new Overlay(before, draft.types(), change), affected.types(), draft.revision());
        List<Effect> effects = affected.clusters().stream()
                .flatMap(cluster -> examination.examine(cluster).effects().stream())
                .toList();
        List<String> guards = Guards.tripped(draft, effects, List.of(removal)).stream()
                .map(guard -> "when " + document.key() + " expires: " + guard)
                .toList();
        return new Later(document.key(), effects, guards);
    }

    /** The name of the commit's mark that says this removal was confirmed. */
    static String mark(DocumentKey key) {
        return "expiry " + key;
    }
}
