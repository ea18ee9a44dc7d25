package dev.homeport.demo;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * One made-up cluster. Which there are follows from how many there are, so every demo of a size has the same.
 *
 * @param habit what is special about it
 */
record DemoCluster(String id, String workspace, String environment, String region, String kubernetes, Habit habit) {
    /** The workspace with the change that does not work; its production is seven of a hundred clusters. */
    static final String FAILING_WORKSPACE = "retail-edge";

    static final List<String> WORKSPACES = List.of(
            "payments", "checkout", "search", "identity", "data-platform", "ml", FAILING_WORKSPACE, "internal-tools");

    private static final List<String> REGIONS = List.of("euw1", "euc1", "use1", "usw2", "aps1");
    private static final List<String> KUBERNETES = List.of("v1.34.1", "v1.34.1", "v1.33.5", "v1.33.5", "v1.32.9");

    /** Of two hundred; other sizes have the same shares. */
    private static final int PATTERN = 200;

    private static final int EDGE_PROD = 14;
    private static final int EDGE = 40;

    /** Has no divisor in common with the pattern, so it visits every place, and each part of it fairly. */
    private static final int STRIDE = 73;

    /** What makes a cluster worth a look. */
    enum Habit {
        NONE,
        /** It has not been heard of for hours. */
        SILENT,
        /** It has no owner. */
        OWNERLESS,
        /** Its Kubernetes is no longer supported. */
        OLD_KUBERNETES,
        /** One of its components is held at a version until tomorrow. */
        PINNED
    }

    static List<DemoCluster> all(int count) {
        List<DemoCluster> all = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int place = (int) ((long) i * STRIDE % PATTERN);
            String workspace = workspace(place);
            String environment = environment(place);
            String region = REGIONS.get(i % REGIONS.size());
            String group = workspace + "-" + environment + "-" + region;
            int number = numbers.merge(group, 1, Integer::sum);
            Habit habit = habit(place, i);
            all.add(new DemoCluster(
                    String.format(Locale.ROOT, "%s-%02d", group, number),
                    workspace,
                    environment,
                    region,
                    habit == Habit.OLD_KUBERNETES ? "v1.29.8" : KUBERNETES.get((i + i / 7) % KUBERNETES.size()),
                    habit));
        }
        return all;
    }

    private static String workspace(int place) {
        List<String> others = WORKSPACES.stream()
                .filter(name -> !name.equals(FAILING_WORKSPACE))
                .toList();
        return place < EDGE ? FAILING_WORKSPACE : others.get((place - EDGE) % others.size());
    }

    private static String environment(int place) {
        if (place < EDGE_PROD) {
            return "prod";
        }
        if (place < EDGE) {
            return List.of("dev", "qa", "uat").get(place % 3);
        }
        return switch ((place - EDGE) / 7 % 10) {
            case 0, 1, 2 -> "dev";
            case 3, 4 -> "qa";
            case 5 -> "uat";
            default -> "prod";
        };
    }

    /** Only in the first round: one of each, and two that are silent, whatever the size. */
    private static Habit habit(int place, int number) {
        return number >= PATTERN
                ? Habit.NONE
                : switch (place) {
                    case 62, 119 -> Habit.SILENT;
                    case 81 -> Habit.OWNERLESS;
                    case 73 -> Habit.OLD_KUBERNETES;
                    case 84 -> Habit.PINNED;
                    default -> Habit.NONE;
                };
    }

    String dns() {
        return id + ".k8s.example.com";
    }

    boolean isEdge() {
        return workspace.equals(FAILING_WORKSPACE);
    }

    ObjectNode document(String pollInterval) {
        ObjectNode body = StrictJson.object()
                .put("cluster_name", id)
                .put("cluster_dns", dns())
                .put("environment", environment)
                .put("workspace", workspace)
                .put("template", isEdge() ? "edge" : "standard")
                .put("kubernetes_version", kubernetes)
                .put("poll_interval", pollInterval);
        if (habit != Habit.OWNERLESS) {
            body.put("owner", "team-" + workspace);
        }
        body.putObject("labels").put("env", environment).put("region", region).put("team", workspace);
        return body;
    }
}
