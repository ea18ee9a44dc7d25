package dev.homeport.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of the fleet: where a right holds, or what a change concerns.
 *
 * @param cluster one cluster; null: not just one
 * @param workspace one workspace; null: not just one
 * @param environments these environments alone; null: all there are
 */
public record Place(
        @Nullable String cluster,
        @Nullable String workspace,
        @Nullable Set<String> environments) {
    public static final Place FLEET = new Place(null, null, null);

    public Place {
        environments = environments == null ? null : Set.copyOf(environments);
    }

    /** Whether a right that holds here holds there too. Ids are compared whole. */
    boolean covers(Place there) {
        if (cluster != null && !cluster.equals(there.cluster)) {
            return false;
        }
        if (workspace != null && !workspace.equals(there.workspace)) {
            return false;
        }
        return environments == null || there.environments != null && environments.containsAll(there.environments);
    }

    /** In words: {@code workspace/payments}. */
    @Override
    public String toString() {
        String where = cluster != null
                ? "cluster/" + cluster
                : workspace != null ? "workspace/" + workspace : environments == null ? "the fleet" : "";
        if (environments == null || cluster != null) {
            return where;
        }
        String in = environments.isEmpty()
                ? "no environment"
                : "environment/" + String.join(", environment/", new java.util.TreeSet<>(environments));
        return where.isEmpty() ? in : where + " in " + in;
    }
}
