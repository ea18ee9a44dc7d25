package dev.homeport.cli.look;

import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.TextTable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport delivery CLUSTER}. */
@Command(name = "delivery", description = "Show a cluster's delivery status: desired, served, applied, healthy.")
final class DeliveryCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "CLUSTER", description = "A cluster, as NAME or cluster/NAME.")
    String cluster;

    @Override
    public Integer call() {
        JsonNode delivery = server.client()
                .get(Kind.CLUSTER.path(Reference.cluster(cluster)) + "/delivery")
                .body();
        if (output.isObject()) {
            output.printObject(delivery);
            return ExitCodes.DONE;
        }
        PrintStream out = server.process().out();
        for (String field : List.of("state", "state_since", "state_source", "reporting", "last_polled_at")) {
            if (delivery.has(field)) {
                out.println(field + "  " + SafeText.line(delivery.path(field).asString("")));
            }
        }
        facts(delivery, out);
        delivery.path("left").forEach(left -> out.println("left  " + SafeText.line(left.asString(""))));
        if (delivery.has("not_reporting")) {
            List<String> names = new ArrayList<>();
            delivery.path("not_reporting").forEach(name -> names.add(SafeText.line(name.asString(""))));
            out.println("not_reporting  " + String.join(", ", names));
        }
        TextTable types = new TextTable();
        types.row(List.of("TYPE", "CURRENT", "SERVED", "FULL", "HOLD", "SOURCE", "FAILURE"));
        delivery.path("types")
                .forEachEntry((plural, type) -> types.row(List.of(
                        plural,
                        type.path("current").asString("-"),
                        type.path("served").path("at").asString("-"),
                        Math.round(type.path("fullness").asDouble(0) * 100) + "%",
                        type.path("hold").asString("-"),
                        source(type),
                        failure(type))));
        types.folded(output.room()).forEach(out::println);
        TextTable components = new TextTable();
        components.row(List.of("COMPONENT", "DESIRED", "SERVED", "APPLIED", "HEALTHY", "SOURCE", "FAILURE"));
        delivery.path("components")
                .forEachEntry((id, component) -> components.row(List.of(
                        id,
                        component.path("desired").path("version").asString("-"),
                        component.path("served").asString("-"),
                        component.path("applied").path("at").asString("-"),
                        component.path("healthy").path("at").asString("-"),
                        source(component),
                        component.path("failure").path("message").asString("-"))));
        components.folded(output.room()).forEach(out::println);
        probes(delivery.path("probes"), out);
        if (!delivery.path("removals").isEmpty()) {
            TextTable removals = new TextTable();
            removals.row(List.of("REMOVED", "STATE", "SINCE", "SOURCE", "REASON"));
            delivery.path("removals")
                    .forEach(removal -> removals.row(List.of(
                            removal.path("type").asString("") + "/"
                                    + removal.path("id").asString(""),
                            removal.path("state").asString("-"),
                            removal.path("since").asString("-"),
                            removal.path("source").asString("-"),
                            removal.path("reason").asString("-"))));
            removals.folded(output.room()).forEach(out::println);
        }
        return ExitCodes.DONE;
    }

    private void probes(JsonNode probes, PrintStream out) {
        if (probes.isEmpty()) {
            return;
        }
        TextTable table = new TextTable();
        table.row(List.of("PROBE", "OUTCOME", "AT", "SOURCE", "ANSWER"));
        probes.forEach(probe -> table.row(List.of(
                probe.path("probe").asString(""),
                probe.path("outcome").asString("-"),
                probe.path("at").asString("-"),
                probe.path("source").asString("-"),
                probe.path("answer").asString("-"))));
        table.folded(output.room()).forEach(out::println);
    }

    /** Each version, where that is known from and since when; an older server knows the operator's alone. */
    private static void facts(JsonNode delivery, PrintStream out) {
        if (!delivery.has("facts") && delivery.has("flux_operator_version")) {
            out.println("flux_operator_version  "
                    + SafeText.line(delivery.path("flux_operator_version").asString("")));
        }
        JsonNode facts = delivery.path("facts");
        facts.forEachEntry((name, fact) -> {
            if (fact.isObject()) {
                out.println(name + "  "
                        + SafeText.line(fact.path("value").asString("") + " (source: "
                                + fact.path("source").asString("-") + ", at "
                                + fact.path("at").asString("-") + ")"));
            }
        });
        if (facts.has("reason")) {
            out.println("versions  not current: "
                    + SafeText.line(facts.path("reason").asString("")));
        }
    }

    /** From where it is known what became of a component, or of a type's objects. */
    private static String source(JsonNode component) {
        for (String about : List.of("failure", "healthy", "applied")) {
            if (component.path(about).has("source")) {
                return component.path(about).path("source").asString("-");
            }
        }
        return "-";
    }

    /** A cluster whose sets send no events does not say that one of them works either. */
    private static String failure(JsonNode type) {
        boolean mute = type.has("reporting") && !type.path("reporting").asBoolean(false);
        return type.path("failure").path("message").asString(mute ? "not reporting" : "-");
    }
}
