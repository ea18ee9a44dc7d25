package dev.homeport.server.poll;

import dev.homeport.access.Place;
import dev.homeport.api.ErrorCode;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Plain;
import dev.homeport.snapshot.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which clusters a caller of the cluster list asks for. Read strictly: a management cluster deletes by this list, so a
 * parameter with a typing mistake must be an error and never another list.
 *
 * @param selector only requirements that a new label cannot end
 * @param limit the provider's own limit, beyond which Flux would drop rows without an error; 0 when not given
 */
record ClusterListQuery(
        @Nullable String workspace, @Nullable String environment, LabelSelector selector, int limit) {
    static final SortedSet<String> PARAMETERS =
            new TreeSet<>(Set.of("environment", "label_selector", "limit", "workspace"));

    private static final int LARGEST_LIMIT = 10_000_000;

    static ClusterListQuery parse(Map<String, List<String>> query) {
        query.forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                throw ProblemException.refused(
                        ErrorCode.MALFORMED,
                        "the cluster list has no query parameter " + Plain.text(name),
                        "use one of " + String.join(", ", PARAMETERS));
            }
            if (values.size() != 1 || values.getFirst().isEmpty()) {
                throw ProblemException.refused(
                        ErrorCode.MALFORMED,
                        "the query parameter " + name + " is empty or given more than once",
                        "give it once with a value, or leave it out");
            }
        });
        LabelSelector selector = LabelSelector.parse(one(query, "label_selector", ""));
        if (selector.requirements().stream().anyMatch(ClusterListQuery::isNegative)) {
            throw ProblemException.invalid(
                    "/label_selector",
                    "the cluster list takes no negative requirement: adding a label would remove a cluster from it",
                    "select by labels that clusters have, such as region=eu or tier in (a,b)");
        }
        return new ClusterListQuery(
                one(query, "workspace", null), one(query, "environment", null), selector, limit(query));
    }

    private static boolean isNegative(LabelSelector.Requirement requirement) {
        return switch (requirement) {
            case LabelSelector.Requirement.In _ -> false;
            case LabelSelector.Requirement.NotIn _ -> true;
            case LabelSelector.Requirement.Exists exists -> !exists.wanted();
        };
    }

    private static int limit(Map<String, List<String>> query) {
        String text = one(query, "limit", "0");
        try {
            int limit = Integer.parseInt(text);
            if (limit > 0 && limit <= LARGEST_LIMIT || !query.containsKey("limit")) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw ProblemException.invalid(
                "/limit", "limit is not a number from 1 to " + LARGEST_LIMIT, "send the provider's filter.limit");
    }

    @SuppressWarnings("NullAway") // as nullable as the alternative
    private static String one(Map<String, List<String>> query, String name, @Nullable String otherwise) {
        List<String> values = query.get(name);
        return values == null ? otherwise : values.getFirst();
    }

    /** The part of the fleet that the caller must be allowed to read in whole. */
    Place place() {
        return new Place(null, workspace, environment == null ? null : Set.of(environment));
    }

    boolean selects() {
        return !selector.requirements().isEmpty();
    }
}
