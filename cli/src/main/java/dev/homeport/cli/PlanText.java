package dev.homeport.cli;

import java.io.PrintWriter;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A plan for eyes: what happens to how many clusters. */
final class PlanText {
    private static final Map<String, String> SIGNS = Map.of("added", "+", "removed", "-", "changed", "~");

    private PlanText() {}

    static void print(JsonNode plan, PrintWriter out) {
        plan.path("documents")
                .forEach(document -> out.println(
                        SIGNS.getOrDefault(sign(document.path("change").asString("")), "~") + " "
                                + document.path("type").asString("") + "/"
                                + document.path("id").asString("")));
        plan.path("groups").forEach(group -> {
            out.println("on " + group.path("cluster_count").asString("0") + " clusters ("
                    + group.path("type").asString("") + "):");
            group.path("changes")
                    .forEach(change -> out.println(
                            "  " + SIGNS.getOrDefault(change.path("change").asString(""), "~") + " "
                                    + change.path("id").asString("")));
        });
        plan.path("warnings").forEach(warning -> out.println("warning: " + warning.asString("")));
        plan.path("guards").forEach(guard -> out.println("needs confirmation: " + guard.asString("")));
    }

    private static String sign(String change) {
        return change.equals("created") ? "added" : change;
    }
}
