package dev.homeport.write;

import dev.homeport.fleet.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether everything that runs on a cluster finds what it depends on there, and not in a circle. */
final class Dependencies {
    private Dependencies() {}

    /** Gaps and cycles that did not exist before. */
    static List<String> opened(String cluster, List<Item> before, List<Item> after) {
        Set<String> now = faults(cluster, after);
        if (!now.isEmpty()) {
            now.removeAll(faults(cluster, before));
        }
        return List.copyOf(now);
    }

    private static Set<String> faults(String cluster, List<Item> items) {
        Map<String, Item> enabled = new HashMap<>();
        boolean any = false;
        for (Item item : items) {
            if (item.enabled()) {
                enabled.put(item.id(), item);
                any |= !item.dependsOn().isEmpty();
            }
        }
        Set<String> faults = new TreeSet<>();
        if (!any) {
            return faults;
        }
        Map<String, Boolean> done = new HashMap<>();
        for (Item item : enabled.values()) {
            for (String needed : item.dependsOn()) {
                if (!enabled.containsKey(needed)) {
                    faults.add("on cluster/" + cluster + ", " + item.id() + " depends on " + needed
                            + ", which is not assigned and enabled there");
                }
            }
            List<String> circle = circle(item.id(), enabled, done, new ArrayList<>());
            if (circle != null) {
                faults.add("on cluster/" + cluster + ", these depend on each other in a circle: "
                        + String.join(", ", new TreeSet<>(circle)));
            }
        }
        return faults;
    }

    private static @Nullable List<String> circle(
            String id, Map<String, Item> enabled, Map<String, Boolean> done, List<String> path) {
        Item item = enabled.get(id);
        if (item == null || done.containsKey(id)) {
            return null;
        }
        int seen = path.indexOf(id);
        if (seen >= 0) {
            return List.copyOf(path.subList(seen, path.size()));
        }
        path.add(id);
        for (String needed : item.dependsOn()) {
            List<String> found = circle(needed, enabled, done, path);
            if (found != null) {
                return found;
            }
        }
        path.removeLast();
        done.put(id, true);
        return null;
    }
}
