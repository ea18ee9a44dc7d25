package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Expiries;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.write.Tiers;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What is computed about a cluster. */
final class ClusterStatus {
    private final AsOf state;
    private final LastSeen lastSeen;
    private @Nullable Tiers tiers;

    ClusterStatus(AsOf state, LastSeen lastSeen) {
        this.state = state;
        this.lastSeen = lastSeen;
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
            addPolls(document.id(), status);
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

    private void addPolls(String cluster, ObjectNode status) {
        Instant newest = null;
        for (String type : state.view().types().itemTypes()) {
            String plural = state.view().types().named(type).orElseThrow().plural();
            Instant at = lastSeen.last(cluster, plural).map(poll -> poll.at()).orElse(null);
            if (at != null && (newest == null || at.isAfter(newest))) {
                newest = at;
            }
        }
        put(status, "last_polled_at", newest);
    }

    private static void put(ObjectNode status, String field, @Nullable Object value) {
        if (value != null) {
            status.put(field, value.toString());
        }
    }
}
