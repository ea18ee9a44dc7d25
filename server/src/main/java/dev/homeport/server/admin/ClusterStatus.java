package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Expiries;
import dev.homeport.fleet.Tiers;
import dev.homeport.observe.ClusterFacts;
import dev.homeport.observe.ClusterState;
import dev.homeport.server.state.Standing;
import dev.homeport.server.state.StateBoard;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The computed status of a cluster. */
final class ClusterStatus {
    private final AsOf state;
    private final StateBoard board;
    private final Function<Document, Standing> standings;
    private @Nullable Tiers tiers;

    /** @param standings how a cluster is: looking at each of many now would take too long */
    ClusterStatus(AsOf state, StateBoard board, Function<Document, Standing> standings) {
        this.state = state;
        this.board = board;
        this.standings = standings;
    }

    void add(Document document, ObjectNode status) {
        Document life = state.view().document(Types.CLUSTER_LIFE, document.id());
        if (life == null || life.fault().isEmpty()) {
            addLife(ClusterLife.of(life), status);
        }
        if (document.fault().isEmpty()) {
            addOwn(document, status);
        }
        if (state instanceof AsOf.Present) {
            addState(document, status);
        }
    }

    static void addLife(ClusterLife life, ObjectNode status) {
        status.put("phase", life.phase().name().toLowerCase(Locale.ROOT));
        if (life.since() > 0) {
            status.put("phase_since_revision", life.since());
        }
        Instant leaveAt = life.leaveAt();
        if (leaveAt != null) {
            status.put("leaves_at", leaveAt.toString());
        }
        if (life.releasing()) {
            status.put("releasing_namespaces", true);
        }
        status.put("paused", life.paused().isPresent());
        life.paused().ifPresent(pause -> {
            put(status, "paused_reason", pause.note().reason());
            put(status, "paused_by", pause.note().owner());
            put(status, "paused_until", pause.note().expiresAt());
        });
    }

    private void addOwn(Document document, ObjectNode status) {
        Cluster cluster = Cluster.of(document);
        status.put("protected", tiers().isProtected(cluster));
        if (cluster.owner() == null) {
            status.putArray("debts").add("owner");
        }
        Expiries.soonest(document).ifPresent(time -> status.put("next_expiry_at", time.toString()));
    }

    private Tiers tiers() {
        Tiers known = tiers;
        if (known == null) {
            known = new Tiers(state.all(Types.ENVIRONMENT));
            tiers = known;
        }
        return known;
    }

    private void addState(Document cluster, ObjectNode status) {
        Standing standing = standings.apply(cluster);
        status.put("state", standing.state().word());
        status.put("state_since", standing.since().toString());
        status.put("state_source", standing.source().word());
        status.put("reporting", standing.reporting());
        if (!standing.notReporting().isEmpty()) {
            standing.notReporting().forEach(status.putArray("not_reporting")::add);
        }
        if (standing.state() == ClusterState.LEAVING) {
            status.put("drained", standing.drained());
            standing.left().forEach(status.putArray("left")::add);
        }
        put(status, "failure", standing.failure());
        Instant born = cluster.created().at();
        put(
                status,
                "last_polled_at",
                board.lastPollAt(cluster.id()).filter(at -> !at.isBefore(born)).orElse(standing.lastPollAt()));
        ClusterFacts facts = standing.facts();
        if (facts != null) {
            putUnlessEmpty(status, "kubernetes_version", facts.kubernetes());
            putUnlessEmpty(status, "platform", facts.platform());
            putUnlessEmpty(status, "flux_version", facts.flux());
        }
        put(status, "flux_operator_version", standing.operator());
    }

    private static void putUnlessEmpty(ObjectNode status, String field, String value) {
        if (!value.isEmpty()) {
            status.put(field, value);
        }
    }

    private static void put(ObjectNode status, String field, @Nullable Object value) {
        if (value != null) {
            status.put(field, value.toString());
        }
    }
}
