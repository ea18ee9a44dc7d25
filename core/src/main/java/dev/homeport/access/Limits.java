package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.StrictJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rights that a token may use at most: those that its maker held when the token was made. Rights that are granted to the
 * token's subject later count only within these limits.
 */
public final class Limits {
    /** For tokens of platform admins and for callers without a token. */
    public static final Limits NONE = new Limits(null, Long.MAX_VALUE);

    /** More are refused when a token is made, so that a request stays cheap. */
    public static final int MOST = 200;

    private final @Nullable List<Holding> held;
    private final long revision;

    private Limits(@Nullable List<Holding> held, long revision) {
        this.held = held == null ? null : List.copyOf(held);
        this.revision = revision;
    }

    /** What these rights are as limits, from the next commit on. */
    static Limits of(List<Holding> holdings) {
        Set<Holding> distinct = new LinkedHashSet<>();
        holdings.forEach(holding -> distinct.add(
                new Holding(holding.rule(), holding.place(), holding.clusterScoped(), false, "", "", holding.until())));
        return new Limits(new ArrayList<>(distinct), Long.MAX_VALUE);
    }

    /** @param revision that made the token: what is created later under a name in the limits is not meant by them */
    static Limits read(JsonNode limits, long revision) {
        if (limits.isMissingNode()) {
            return NONE;
        }
        List<Holding> held = new ArrayList<>();
        limits.forEach(limit -> held.add(new Holding(
                new Rule(Rule.texts(limit.path("verbs")), Rule.texts(limit.path("types"))),
                new Place(
                        text(limit, Types.CLUSTER),
                        text(limit, Types.WORKSPACE),
                        limit.has("environments") ? Rule.texts(limit.path("environments")) : null),
                limit.path("cluster_scoped").booleanValue(false),
                false,
                "",
                "",
                limit.has("until") ? Instant.parse(limit.path("until").stringValue("")) : null)));
        return new Limits(held, revision);
    }

    private static @Nullable String text(JsonNode limit, String field) {
        return limit.has(field) ? limit.path(field).stringValue("") : null;
    }

    public boolean isUnlimited() {
        return held == null;
    }

    public int size() {
        return held == null ? 0 : held.size();
    }

    /** The form in a token's document; only for limits that are some. */
    public ArrayNode json() {
        ArrayNode array = StrictJson.object().putArray("limits");
        for (Holding limit : held == null ? List.<Holding>of() : held) {
            ObjectNode json = array.addObject();
            texts(json, "verbs", limit.rule().verbs());
            texts(json, "types", limit.rule().types());
            Place place = limit.place();
            if (place.cluster() != null) {
                json.put(Types.CLUSTER, place.cluster());
            }
            if (place.workspace() != null) {
                json.put(Types.WORKSPACE, place.workspace());
            }
            if (place.environments() != null) {
                texts(json, "environments", place.environments());
            }
            if (limit.clusterScoped()) {
                json.put("cluster_scoped", true);
            }
            if (limit.until() != null) {
                json.put("until", limit.until().toString());
            }
        }
        return array;
    }

    private static void texts(ObjectNode json, String field, Set<String> words) {
        ArrayNode array = json.putArray(field);
        new TreeSet<>(words).forEach(array::add);
    }

    /** What both allow, in a state in which places of these limits may be gone. */
    public Limits and(Limits other, FleetView view, Instant now) {
        if (held == null) {
            return other.held == null ? other : new Limits(other.meant(view, now), Long.MAX_VALUE);
        }
        return other.held == null
                ? new Limits(meant(view, now), Long.MAX_VALUE)
                : of(other.applied(meant(view, now), view, now));
    }

    /** Of these rights, those within the limits. */
    List<Holding> applied(List<Holding> holdings, FleetView view, Instant now) {
        if (held == null) {
            return holdings;
        }
        List<Holding> limits = meant(view, now);
        List<Holding> within = new ArrayList<>();
        for (Holding holding : holdings) {
            for (Holding limit : limits) {
                both(holding, limit, view).ifPresent(within::add);
            }
        }
        return within;
    }

    private List<Holding> meant(FleetView view, Instant now) {
        return held == null
                ? List.of()
                : held.stream()
                        .filter(limit ->
                                (limit.until() == null || limit.until().isAfter(now)) && isMeant(limit.place(), view))
                        .toList();
    }

    private boolean isMeant(Place place, FleetView view) {
        boolean environments = place.environments() == null
                || place.environments().stream().allMatch(id -> isMeant(Types.ENVIRONMENT, id, view));
        return environments
                && isMeant(Types.CLUSTER, place.cluster(), view)
                && isMeant(Types.WORKSPACE, place.workspace(), view);
    }

    private boolean isMeant(String type, @Nullable String id, FleetView view) {
        Document there = id == null ? null : view.document(type, id);
        return id == null || there != null && there.created().revision() <= revision;
    }

    private static Optional<Holding> both(Holding holding, Holding limit, FleetView view) {
        Rule rule = holding.rule().and(limit.rule(), view);
        Place place = and(holding.place(), limit.place());
        if (place == null || rule.verbs().isEmpty() || rule.types().isEmpty()) {
            return Optional.empty();
        }
        boolean platform = holding.platform() && rule.isEverything() && place.equals(Place.FLEET);
        return Optional.of(new Holding(
                rule,
                place,
                holding.clusterScoped() && limit.clusterScoped(),
                platform,
                holding.role(),
                holding.grant(),
                sooner(holding.until(), limit.until())));
    }

    private static @Nullable Instant sooner(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    /** Null when nothing is in both. */
    private static @Nullable Place and(Place one, Place other) {
        if (one.cluster() != null && other.cluster() != null && !one.cluster().equals(other.cluster())
                || one.workspace() != null
                        && other.workspace() != null
                        && !one.workspace().equals(other.workspace())) {
            return null;
        }
        Set<String> environments = one.environments() == null ? other.environments() : one.environments();
        if (one.environments() != null && other.environments() != null) {
            environments = new HashSet<>(one.environments());
            environments.retainAll(other.environments());
        }
        return environments != null && environments.isEmpty()
                ? null
                : new Place(
                        one.cluster() == null ? other.cluster() : one.cluster(),
                        one.workspace() == null ? other.workspace() : one.workspace(),
                        environments);
    }
}
