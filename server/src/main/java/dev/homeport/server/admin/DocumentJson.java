package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Stamp;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.state.Standing;
import dev.homeport.server.state.StateBoard;
import dev.homeport.snapshot.Snapshot;
import java.util.BitSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A document as the admin plane shows it: what was written in {@code spec}, what is computed in {@code status}. */
final class DocumentJson {
    private final AsOf state;
    private final LastSeen lastSeen;
    private final StateBoard board;
    private final HeldExpiries heldExpiries;
    private final ClusterStatus clusters;
    private @Nullable BitSet seenClusters;

    private DocumentJson(AsOf state, Services services, Function<Document, Standing> standings) {
        this.state = state;
        this.lastSeen = services.lastSeen();
        this.heldExpiries = services.heldExpiries();
        this.board = services.board();
        this.clusters = new ClusterStatus(state, board, standings);
    }

    /** For one document: a cluster is looked at now. */
    static DocumentJson one(AsOf state, Services services) {
        return new DocumentJson(state, services, services.board()::current);
    }

    /** For many: clusters are as they were last looked at, a moment ago. */
    static DocumentJson many(AsOf state, Services services) {
        return new DocumentJson(state, services, services.board()::standing);
    }

    /** Words for the states of clusters, as a list shows them. */
    Function<Document, String> states() {
        return cluster -> board.standing(cluster).state().word();
    }

    ObjectNode of(Document document) {
        ObjectNode json = StrictJson.object();
        json.put("type", document.type());
        json.put("id", document.id());
        if (document.fault().isEmpty()) {
            json.set("spec", spec(document));
        }
        json.set("meta", meta(document));
        json.set("status", status(document));
        return json;
    }

    /** Exactly what was written, but for a token's hash. */
    static ObjectNode spec(Document document) {
        return visible(document.type(), document.tree());
    }

    static ObjectNode visible(String type, ObjectNode body) {
        if (type.equals(Types.TOKEN)) {
            body.remove("hash");
        }
        return body;
    }

    static ObjectNode meta(Document document) {
        Stamp updated = document.updated();
        return StrictJson.object()
                .put("revision", updated.revision())
                .put("epoch", updated.epoch())
                .put("created_at", document.created().at().toString())
                .put("updated_at", updated.at().toString())
                .put("updated_by", updated.by());
    }

    ObjectNode status(Document document) {
        ObjectNode status = StrictJson.object();
        document.fault().ifPresent(fault -> status.put("fault", fault));
        if (state instanceof AsOf.Present) {
            heldExpiries.reason(document.key()).ifPresent(reason -> status.put("expiry_held", reason));
        }
        TypeDefinition type = state.view().types().named(document.type()).orElse(null);
        if (type == null) {
            return status;
        }
        switch (type.part()) {
            case CLUSTER -> clusters.add(document, status);
            case ITEM, LAYER -> {
                if (state instanceof AsOf.Present present) {
                    users(present, type.plural() + "/" + document.id(), status);
                }
            }
            case CONTROL -> {
                if (document.type().equals(Types.TOKEN)) {
                    lastSeen.lastUsed(document.id()).ifPresent(at -> status.put("last_used_at", at.toString()));
                }
            }
            case INTERNAL -> {}
        }
        return status;
    }

    /** How many documents refer to it, and how many clusters do so themselves or through a layer, of those that the reader sees. */
    private void users(AsOf.Present present, String reference, ObjectNode status) {
        Snapshot snapshot = present.snapshot();
        Powers powers = present.powers();
        BitSet clusters = new BitSet();
        snapshot.clustersWith(reference).addTo(clusters);
        int documents = 0;
        WorkBudget budget = WorkBudget.current();
        for (DocumentKey user : snapshot.users(reference)) {
            budget.check();
            documents += powers.seesAll() || !powers.isHidden(user.type(), user.id()) ? 1 : 0;
            snapshot.types()
                    .named(user.type())
                    .ifPresent(type -> snapshot.clustersWith(type.plural() + "/" + user.id())
                            .addTo(clusters));
        }
        if (!powers.seesAll() && !clusters.isEmpty()) {
            clusters.and(seenClusters(present));
        }
        status.put("used_by_clusters", clusters.cardinality());
        status.put("used_by_documents", documents);
    }

    private BitSet seenClusters(AsOf.Present present) {
        BitSet known = seenClusters;
        if (known == null) {
            known = SeenClusters.of(present.snapshot(), present.powers());
            seenClusters = known;
        }
        return known;
    }

    static String etag(Document document) {
        return "\"" + document.updated().epoch() + "-" + document.updated().revision() + "\"";
    }
}
