package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.FilterWords;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport promote COMPONENT VERSION --from dev --to qa,prod}. */
@Command(
        name = "promote",
        description =
                "Promote a version from one environment to others; when all have it, to the catalog's default. Pins that"
                        + " become redundant are removed.",
        footer = {"", "Example: homeport promote grafana 17.1.0 --from dev --to qa,uat,prod"})
final class PromoteCommand implements Callable<Integer> {
    private static final Kind ENVIRONMENT = Kind.known("environment").orElseThrow();
    private static final SelectOptions.Query ALL = new SelectOptions.Query(Optional.empty(), Optional.empty());

    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(index = "0", paramLabel = "COMPONENT", description = "The component.")
    String component;

    @Parameters(index = "1", paramLabel = "VERSION", description = "Its component_version.")
    String version;

    @Option(names = "--from", required = true, paramLabel = "ENV", description = "Source environment.")
    String from;

    @Option(names = "--to", required = true, split = ",", paramLabel = "ENV,…", description = "Target environments.")
    List<String> to;

    /** What the version is. */
    private record Artifact(@Nullable String path, @Nullable String tag) {
        boolean isIn(JsonNode reference, JsonNode catalog) {
            return value(reference, catalog, "component_path").equals(path == null ? "" : path)
                    && value(reference, catalog, "oci_tag").equals(tag == null ? "" : tag);
        }

        private static String value(JsonNode reference, JsonNode catalog, String field) {
            return reference
                    .path(field)
                    .asString(catalog.path("spec").path(field).asString(""));
        }
    }

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        JsonNode catalog = client.get(Kind.COMPONENT.path(component)).body();
        List<JsonNode> environments = SelectOptions.all(client, ENVIRONMENT, ALL, Optional.empty());
        Set<String> known = new TreeSet<>();
        environments.forEach(one -> known.add(one.path("id").asString("")));
        Set<String> reached = new TreeSet<>(to);
        reached.add(from);
        if (!known.containsAll(reached)) {
            throw new UsageProblem("name environments that there are: " + String.join(", ", known));
        }
        List<JsonNode> clusters = SelectOptions.all(
                client,
                Kind.CLUSTER,
                new SelectOptions.Query(
                        Optional.empty(), Optional.of("platform_components.id = " + FilterWords.quoted(component))),
                Optional.empty());
        Artifact artifact = artifact(catalog, environments, clusters);
        List<JsonNode> spent = new ArrayList<>();
        ArrayNode operations;
        if (reached.containsAll(known)) {
            operations = everywhere(catalog, artifact);
            spent.addAll(environments);
            spent.addAll(clusters);
        } else {
            ObjectNode override = JsonMapper.shared().createObjectNode();
            AssignOptions.put(override, "component_path", artifact.path());
            AssignOptions.put(override, "oci_tag", artifact.tag());
            operations = Overrides.set(
                    environments.stream()
                            .filter(one -> reached.contains(one.path("id").asString("")))
                            .toList(),
                    component,
                    override);
            clusters.stream()
                    .filter(one -> reached.contains(
                            one.path("spec").path("environment").asString("")))
                    .forEach(spent::add);
        }
        operations.addAll(Overrides.drop(
                spent, component, reference -> !reference.has("enabled") && artifact.isIn(reference, catalog)));
        return write.run(server, WriteRequest.change(operations));
    }

    private ArrayNode everywhere(JsonNode catalog, Artifact artifact) {
        ObjectNode fields = JsonMapper.shared().createObjectNode().put("component_version", version);
        AssignOptions.put(fields, "component_path", artifact.path());
        AssignOptions.put(fields, "oci_tag", artifact.tag());
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        operations
                .addObject()
                .put("op", "patch")
                .put("type", Kind.COMPONENT.name())
                .put("id", component)
                .put("if_revision", catalog.path("meta").path("revision").asLong(0))
                .set("patch", fields);
        return operations;
    }

    /** From the catalog's list of versions, or from what the environment or its clusters override. */
    private Artifact artifact(JsonNode catalog, List<JsonNode> environments, List<JsonNode> clusters) {
        for (JsonNode one : catalog.path("spec").path("versions")) {
            if (one.path("component_version").asString("").equals(version)) {
                return artifact(one, catalog);
            }
        }
        List<JsonNode> places = new ArrayList<>();
        environments.stream()
                .filter(one -> one.path("id").asString("").equals(from))
                .forEach(places::add);
        clusters.stream()
                .filter(one -> one.path("spec").path("environment").asString("").equals(from))
                .forEach(places::add);
        Set<Artifact> found = new java.util.LinkedHashSet<>();
        for (JsonNode place : places) {
            JsonNode reference = Overrides.reference(place, component);
            if (reference.has("component_path") || reference.has("oci_tag")) {
                found.add(artifact(reference, catalog));
            }
        }
        List<Artifact> fitting = found.stream().filter(this::names).toList();
        if (fitting.size() != 1) {
            throw new ExitException(
                    ExitCodes.FAILED,
                    fitting.isEmpty()
                            ? "neither the catalog's versions nor " + from + " have " + component + " " + version
                            : from + " has several artifacts of " + component + " " + version
                                    + "; add the right one to the catalog's versions");
        }
        return fitting.getFirst();
    }

    private boolean names(Artifact artifact) {
        return String.valueOf(artifact.path()).endsWith(version)
                || String.valueOf(artifact.tag()).equals(version)
                || String.valueOf(artifact.tag()).equals("v" + version);
    }

    private static Artifact artifact(JsonNode given, JsonNode catalog) {
        return new Artifact(
                Artifact.value(given, catalog, "component_path"), Artifact.value(given, catalog, "oci_tag"));
    }
}
