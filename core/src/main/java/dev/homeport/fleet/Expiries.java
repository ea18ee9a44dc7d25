package dev.homeport.fleet;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When something in a document runs out. The resolver never asks; a loop does, and commits the removal. */
public final class Expiries {
    private Expiries() {}

    /** A time as text that sorts like the time. */
    public static String sortable(Instant time) {
        return "%020d".formatted(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    public static Optional<Instant> soonest(Document document) {
        return Optional.ofNullable(
                switch (document.type()) {
                    case Types.CLUSTER -> ofCluster(Cluster.of(document));
                    case Types.ENVIRONMENT, Types.WORKSPACE, Types.CLUSTER_TEMPLATE ->
                        ofShared(SharedLayer.of(document));
                    case Types.CLUSTER_LIFE -> ofLife(document);
                    case Types.FREEZE, Types.TOKEN, Types.ACCESS_GRANT, Types.SIGN_OUT -> ofField(document);
                    default -> null;
                });
    }

    private static @Nullable Instant ofCluster(Cluster cluster) {
        Instant soonest = sooner(cluster.expiresAt(), ofLayer(cluster.layer()));
        for (Cluster.DnsAlias alias : cluster.dnsAliases()) {
            soonest = sooner(soonest, alias.expiresAt());
        }
        return soonest;
    }

    private static @Nullable Instant ofShared(SharedLayer shared) {
        Instant soonest = ofLayer(shared.layer());
        for (Layer layer : shared.byEnvironment().values()) {
            soonest = sooner(soonest, ofLayer(layer));
        }
        return soonest;
    }

    private static @Nullable Instant ofLayer(Layer layer) {
        Instant soonest = null;
        Collection<Ref[]> lists = layer.refs().values();
        for (Ref[] refs : lists) {
            for (Ref ref : refs) {
                soonest = sooner(soonest, ref.note().expiresAt());
            }
        }
        for (ComponentPatches patches : layer.patches().values()) {
            for (Note note : patches.notes().values()) {
                soonest = sooner(soonest, note.expiresAt());
            }
        }
        return soonest;
    }

    private static @Nullable Instant ofLife(Document document) {
        // Nearly every cluster's life has neither; the keys tell without reading the rest.
        var keys = Arrays.asList(document.cursor().object());
        if (!keys.contains("leave_at") && !keys.contains("paused") && !keys.contains("releasing")) {
            return null;
        }
        ClusterLife life = ClusterLife.ifReadable(document).orElse(null);
        if (life == null) {
            return null; // nothing is carried out on a cluster whose record cannot be read
        }
        if (life.releasing()) {
            return Instant.EPOCH; // it is for the loop to look at until the cluster has followed
        }
        ClusterLife.Pause pause = life.pause();
        return sooner(life.leaveAt(), pause == null ? null : pause.note().expiresAt());
    }

    private static @Nullable Instant ofField(Document document) {
        String time = document.tree().path("expires_at").stringValue("");
        return time.isEmpty() ? null : Instant.parse(time);
    }

    static @Nullable Instant sooner(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
