package dev.homeport.cli.write;

import dev.homeport.cli.output.JsonDiff;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Style;
import java.io.PrintStream;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A plan as text: the counts first, then the changes on each group of clusters. */
public final class PlanText {
    private static final Map<String, String> SIGNS =
            Map.of("added", "+", "created", "+", "removed", "-", "changed", "~");
    private static final int MOST_DOCUMENTS = 20;
    private static final int MOST_CHANGES = 20;
    private static final int MOST_NAMES = 5;
    private static final int LONGEST_VALUE = 60;

    private final PrintStream out;
    private final Style style;

    public PlanText(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    public void print(JsonNode plan) {
        int documents = plan.path("documents_changed").asInt(0);
        int clusters = plan.path("clusters_changed").asInt(0);
        out.println("Plan: " + count(documents, "document") + (documents == 1 ? " changes, " : " change, ")
                + count(clusters, "cluster") + " affected");
        int shown = 0;
        for (JsonNode document : plan.path("documents")) {
            if (shown++ < MOST_DOCUMENTS) {
                out.println(signed(
                        document.path("change").asString(""),
                        name(
                                document.path("type").asString(""),
                                document.path("id").asString(""))));
            }
        }
        if (documents > MOST_DOCUMENTS) {
            out.println("  and " + (documents - MOST_DOCUMENTS) + " more");
        }
        plan.path("groups").forEach(group -> group("", group));
        plan.path("paused").forEach(name -> out.println("skipped: " + SafeText.line(name.asString("")) + " (paused)"));
        plan.path("later").forEach(this::later);
        plan.path("warnings").forEach(warning -> line(style.yellow("warning:"), warning.asString("")));
        plan.path("guards").forEach(guard -> line(style.yellow("needs confirmation:"), guard.asString("")));
        out.flush();
    }

    /** What happens later without another confirmation. */
    private void later(JsonNode later) {
        if (later.path("groups").isEmpty()) {
            return;
        }
        String document = later.path("document").asString("");
        String life = "cluster_life/";
        String why = document.startsWith(life)
                ? "when cluster/" + document.substring(life.length()) + " is decommissioned"
                : "when the expiry dates in " + document + " have passed";
        String from = later.path("from").asString("");
        line(style.yellow("Scheduled:"), (from.isEmpty() ? "" : "at " + from + ", ") + why);
        later.path("groups").forEach(group -> group("  ", group));
    }

    /** For users, Homeport's record of a cluster is a part of the cluster. */
    private static String name(String type, String id) {
        return type.equals("cluster_life") ? "cluster/" + id + " (status)" : type + "/" + id;
    }

    private void line(String word, String text) {
        out.println(word + " " + SafeText.line(text));
    }

    private void group(String indent, JsonNode group) {
        int clusters = group.path("cluster_count").asInt(0);
        StringBuilder names = new StringBuilder();
        int named = 0;
        for (JsonNode name : group.path("clusters")) {
            if (named++ < MOST_NAMES) {
                names.append(names.isEmpty() ? "" : ", ").append(name.asString(""));
            }
        }
        out.println(indent + "on " + count(clusters, "cluster") + " ("
                + group.path("type").asString("") + "): "
                + SafeText.line(names.toString()) + (clusters > MOST_NAMES ? ", …" : "")
                + (group.path("empties").asBoolean(false) ? " " + style.red("left with nothing") : ""));
        int shown = 0;
        for (JsonNode change : group.path("changes")) {
            if (shown++ < MOST_CHANGES) {
                String id = change.path("id").asString("");
                out.println(indent + "  "
                        + (change.path("kept").asBoolean(false)
                                ? "kept " + SafeText.line(id) + " (stays on the cluster, no longer managed)"
                                : signed(change.path("change").asString(""), id)));
                fields(indent, change);
            }
        }
        if (shown > MOST_CHANGES) {
            out.println(indent + "  and " + (shown - MOST_CHANGES) + " more");
        }
    }

    /** Field by field, where something is on both sides. */
    private void fields(String indent, JsonNode change) {
        if (!change.has("before") || !change.has("after")) {
            return;
        }
        for (JsonDiff.Difference one : JsonDiff.of(change.path("before"), change.path("after"))) {
            out.println(indent + "      "
                    + SafeText.line(one.path() + ": " + shown(one.before()) + " → " + shown(one.after())));
        }
    }

    private static String shown(String value) {
        return value.isEmpty()
                ? "-"
                : value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE - 1) + "…" : value;
    }

    private String signed(String change, String what) {
        String text = SIGNS.getOrDefault(change, "~") + " " + SafeText.line(what);
        return switch (SIGNS.getOrDefault(change, "~")) {
            case "+" -> style.green(text);
            case "-" -> style.red(text);
            default -> text;
        };
    }

    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
