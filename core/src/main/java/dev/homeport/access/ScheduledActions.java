package dev.homeport.access;

import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.Expired;
import dev.homeport.fleet.Expiries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a change lets Homeport do later by itself, each with the right it needs. The right is asked when the change is made, so
 * that waiting never grants what is refused at once. Postponing an end needs nothing besides.
 */
public final class ScheduledActions {
    private ScheduledActions() {}

    /** The change that expiries make in a document that stays. */
    record Removal(Document before, Document after) {}

    /** Rights for the end of the document itself. What is new may have an end, unless it is a cluster. */
    static List<RequiredRight> of(Optional<Document> before, Document after) {
        Instant end = end(after);
        Instant old = before.map(ScheduledActions::end).orElse(null);
        if (!isSooner(end, old)) {
            return List.of();
        }
        return switch (after.type()) {
            case Types.CLUSTER ->
                List.of(new RequiredRight(
                        Verb.DECOMMISSION,
                        Types.CLUSTER,
                        "set or bring nearer the end (expires_at) of " + after.key()
                                + ", which decommissions it then"));
            case Types.FREEZE, Types.ACCESS_GRANT ->
                before.isEmpty()
                        ? List.of()
                        : List.of(new RequiredRight(
                                Verb.DELETE,
                                after.type(),
                                "set or bring nearer the end (expires_at) of " + after.key()
                                        + ", which removes it then"));
            default -> List.of();
        };
    }

    /** Whether a change of a token ends it sooner, at once if it revokes it. */
    static boolean endsSooner(Document before, Document after) {
        return isSooner(endOfToken(after), endOfToken(before));
    }

    private static @Nullable Instant endOfToken(Document document) {
        if (document.fault().isPresent()) {
            return null;
        }
        StoredToken token = StoredToken.of(document);
        return token.revoked() ? Instant.MIN : token.expiresAt();
    }

    private static @Nullable Instant end(Document document) {
        if (document.fault().isPresent()) {
            return null;
        }
        return switch (document.type()) {
            case Types.CLUSTER -> Cluster.of(document).expiresAt();
            case Types.FREEZE, Types.ACCESS_GRANT -> Expiries.soonest(document).orElse(null);
            default -> null;
        };
    }

    private static boolean isSooner(@Nullable Instant end, @Nullable Instant old) {
        return end != null && (old == null || end.isBefore(old));
    }

    /** What the overrides, patches and aliases that a change sets or dates will take away when they expire. */
    static Optional<Removal> removal(Optional<Document> before, Document after) {
        if (after.fault().isPresent() || Expiries.soonest(after).isEmpty()) {
            return Optional.empty();
        }
        ObjectNode dated = after.tree();
        undate(
                dated,
                before.filter(document -> document.fault().isEmpty())
                        .<JsonNode>map(Document::tree)
                        .orElse(MissingNode.getInstance()));
        Document then = Document.of(after.key(), Body.of(dated), after.created(), after.updated());
        Document left =
                Document.of(after.key(), Body.of(Expired.without(then, Instant.MAX)), after.created(), after.updated());
        return then.body().equals(left.body()) ? Optional.empty() : Optional.of(new Removal(then, left));
    }

    /** Takes the dates off that were there before: those are not this change's doing. */
    private static void undate(ObjectNode now, JsonNode old) {
        layer(now, old);
        now.path("by_environment")
                .forEachEntry((environment, layer) ->
                        layer(layer, old.path("by_environment").path(environment)));
        list(now.path("dns_aliases"), old.path("dns_aliases"), "dns");
    }

    private static void layer(JsonNode now, JsonNode old) {
        for (String field : List.of("platform_components", "namespaces", "rolebindings")) {
            list(now.path(field), old.path(field), "id");
        }
        now.path("refs")
                .forEachEntry((plural, refs) -> list(refs, old.path("refs").path(plural), "id"));
        now.path("patch_info")
                .forEachEntry((component, infos) -> infos.forEachEntry((path, info) -> {
                    boolean sameValue = now.path("patches")
                            .path(component)
                            .equals(old.path("patches").path(component));
                    if (sameValue
                            && info.equals(
                                    old.path("patch_info").path(component).path(path))
                            && info instanceof ObjectNode object) {
                        object.remove("expires_at");
                    }
                }));
    }

    private static void list(JsonNode now, JsonNode old, String name) {
        List<JsonNode> known = new ArrayList<>();
        old.forEach(known::add);
        now.forEach(entry -> {
            if (entry instanceof ObjectNode object && known.contains(entry) && object.has(name)) {
                object.remove("expires_at");
            }
        });
    }

    /**
     * Verbs on a cluster that a change of its life needs for what happens later: the end of a grace empties the cluster, the
     * end of a pause resumes it, and a cluster that comes back comes back with its end.
     */
    public static Set<Verb> ofLife(ClusterLife before, ClusterLife after, boolean clusterHasEnd) {
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        boolean returns = before.phase() != ClusterLife.Phase.ACTIVE && after.phase() == ClusterLife.Phase.ACTIVE;
        if (isSooner(after.leaveAt(), before.leaveAt())
                || after.releasing() && !before.releasing()
                || returns && clusterHasEnd) {
            verbs.add(Verb.DECOMMISSION);
        }
        if (isSooner(resumeAt(after), resumeAt(before))) {
            verbs.add(Verb.RESUME);
        }
        return verbs;
    }

    private static @Nullable Instant resumeAt(ClusterLife life) {
        ClusterLife.Pause pause = life.pause();
        return pause == null ? null : pause.note().expiresAt();
    }
}
