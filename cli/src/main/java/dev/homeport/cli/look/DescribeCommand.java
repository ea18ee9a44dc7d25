package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Columns;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.TextTable;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport describe TYPE NAME}: everything about it on one page. */
@Command(
        name = "describe",
        description = "Show everything about a document; for a cluster also its desired state and the reasons.",
        footer = {"", "Example: homeport describe cluster payments-prod-00417"})
final class DescribeCommand implements Callable<Integer> {
    private static final int MOST_CHANGES = 5;

    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "TYPE NAME", arity = "1..*", description = "A type and names, or TYPE/NAME.")
    List<String> words;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<Reference> named = Reference.all(words, client);
        if (named.isEmpty()) {
            throw new UsageProblem("which " + words.getFirst() + "? write homeport describe " + words.getFirst()
                    + " NAME, or homeport get " + words.getFirst());
        }
        List<JsonNode> told = new ArrayList<>();
        named.forEach(one -> told.add(about(client, one)));
        if (output.isObject()) {
            output.print("description", told, told.size() != 1);
            return ExitCodes.DONE;
        }
        for (int i = 0; i < told.size(); i++) {
            print(named.get(i), told.get(i));
        }
        server.process().out().flush();
        return ExitCodes.DONE;
    }

    private static JsonNode about(HomeportClient client, Reference one) {
        ObjectNode told = JsonMapper.shared().createObjectNode();
        told.set("document", client.get(one.path()).body());
        if (one.kind().equals(Kind.CLUSTER)) {
            told.set(
                    "served",
                    client.get(one.path() + "/explain?brief=true").body().path("types"));
        }
        if (!one.kind().equals(Kind.CHANGE)) {
            // Of a cluster also those that reached it through documents that it shares.
            String path = one.kind().equals(Kind.CLUSTER)
                    ? new Paths("/api/v2/changes").with("cluster", one.id()).toString() + "&"
                    : one.path() + "/revisions?";
            told.set(
                    "changes",
                    client.get(path + "page_size=" + MOST_CHANGES).body().path("items"));
        }
        return told;
    }

    private void print(Reference one, JsonNode told) {
        PrintStream out = server.process().out();
        JsonNode document = told.path("document");
        out.println(one);
        if (one.kind().equals(Kind.CLUSTER)) {
            out.println("state: " + Columns.state(document));
        }
        section("spec", document.path("spec"));
        section("status", document.path("status"));
        section("meta", document.path("meta"));
        if (told.has("served")) {
            served(told.path("served"));
        }
        if (told.has("changes")) {
            changes(told.path("changes"));
        }
    }

    private void section(String name, JsonNode part) {
        if (!part.isEmpty()) {
            PrintStream out = server.process().out();
            out.println(name + ":");
            YamlText.write(part)
                    .lines()
                    .filter(line -> !line.equals("---"))
                    .forEach(line -> out.println("  " + safe(line)));
        }
    }

    private static String safe(String line) {
        int text = 0;
        while (text < line.length() && line.charAt(text) == ' ') {
            text++;
        }
        return line.substring(0, text) + SafeText.line(line.substring(text));
    }

    private void served(JsonNode explained) {
        PrintStream out = server.process().out();
        TextTable table = new TextTable();
        table.row(List.of("  SERVED", "ID", "VERSION", "ENABLED", "ASSIGNED-BY"));
        explained.forEachEntry((type, answer) -> {
            if (answer.has("unresolved")) {
                table.row(List.of(
                        "  " + type, "held: " + answer.path("unresolved").asString(""), "", "", ""));
            }
            answer.path("items").forEach(item -> {
                if (item.path("assigned").asBoolean(false)) {
                    table.row(List.of(
                            "  " + type,
                            item.path("id").asString(""),
                            value(item, "oci_tag"),
                            value(item, "enabled"),
                            item.path("assigned_by").path("document").asString("")));
                }
            });
        });
        table.folded(output.room()).forEach(out::println);
    }

    private static String value(JsonNode item, String path) {
        for (JsonNode value : item.path("values")) {
            if (value.path("path").asString("").equals(path)) {
                return value.path("value").asString("-");
            }
        }
        return "-";
    }

    private void changes(JsonNode newest) {
        PrintStream out = server.process().out();
        TextTable table = new TextTable();
        newest.forEach(change -> table.row(List.of(
                "  ch-" + change.path("revision").asString(""),
                change.path("at").asString(""),
                change.path("actor").asString(""),
                change.path("reason").asString(""))));
        out.println("changes:");
        table.folded(output.room()).forEach(out::println);
    }
}
