package dev.homeport.cli.output;

import dev.homeport.cli.terminal.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Counts by value, a table for each field. */
public final class FacetText {
    private FacetText() {}

    public static void print(JsonNode page, boolean headers, PrintStream out) {
        for (JsonNode facet : page.path("facets")) {
            TextTable table = new TextTable();
            if (headers) {
                table.row(List.of(facet.path("field").asString("").toUpperCase(Locale.ROOT), "COUNT"));
            }
            facet.path("values")
                    .forEach(value -> table.row(List.of(
                            value.path("value").asString(""),
                            value.path("count").asString(""))));
            if (facet.path("missing").asInt(0) > 0) {
                table.row(List.of("-", facet.path("missing").asString("")));
            }
            table.lines().forEach(out::println);
        }
        out.println("total  " + page.path("total").asString(""));
        out.flush();
    }
}
