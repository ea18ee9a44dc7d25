package dev.homeport.cli.output;

import dev.homeport.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What all clusters answered to a probe, in a few lines below the table. */
public final class ProbeSummary {
    private ProbeSummary() {}

    /** @param room how wide the lines may be */
    public static List<String> lines(JsonNode results, int room) {
        List<String> counts = new ArrayList<>();
        results.path("counts").forEachEntry((outcome, count) -> counts.add(count.asString("0") + " " + outcome));
        if (results.path("silent").asInt(0) > 0) {
            counts.add(results.path("silent").asString("") + " silent (not counted)");
        }
        TextTable table = new TextTable();
        table.row(List.of("CLUSTERS", counts.isEmpty() ? "none" : String.join(", ", counts)));
        JsonNode numbers = results.path("numbers");
        if (numbers.isObject()) {
            table.row(List.of(
                    "NUMBERS",
                    "sum " + plain(numbers, "sum") + ", min " + plain(numbers, "min") + ", max " + plain(numbers, "max")
                            + ", of " + clusters(numbers)));
        }
        String title = "ANSWERS";
        for (JsonNode answer : results.path("answers")) {
            table.row(List.of(
                    title, clusters(answer) + ": " + answer.path("answer").asString("")));
            title = "";
        }
        if (results.has("more_answers")) {
            table.row(List.of("", results.path("more_answers").asString("") + " other answers"));
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.folded(room));
        return lines;
    }

    private static String plain(JsonNode numbers, String name) {
        return numbers.path(name).decimalValue().toPlainString();
    }

    private static String clusters(JsonNode counted) {
        int count = counted.path("clusters").asInt(0);
        return count + (count == 1 ? " cluster" : " clusters");
    }
}
