package dev.homeport.cli.lifecycle;

import dev.homeport.api.FileTrouble;
import dev.homeport.api.PrivateFile;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Options of the manifests that connect a cluster to Homeport. */
public final class ManifestOptions {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The output format. */
    public enum Format {
        YAML,
        KUSTOMIZE,
        HELM,
        TERRAFORM,
        CLUSTERAPI,
        SECRETS;

        public boolean isFolder() {
            return this == KUSTOMIZE || this == HELM || this == TERRAFORM;
        }
    }

    /** Whether Flux is installed by a FluxInstance. */
    public enum Instance {
        DETECT,
        ABSENT,
        PRESENT,
        CREATE
    }

    @Option(
            names = "--format",
            paramLabel = "FORM",
            description = "yaml, clusterapi, secrets (the Secrets alone), or a folder: kustomize, helm or terraform.")
    public Format format = Format.YAML;

    @Option(names = "--into", paramLabel = "DIR", description = "Write files into this folder instead of printing.")
    @Nullable
    public Path folder;

    @Option(names = "--url", paramLabel = "URL", description = "Where the cluster reaches Homeport.")
    @Nullable
    public String url;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificate authority of that address.")
    @Nullable
    public Path authority;

    @Option(names = "--types", paramLabel = "TYPE", split = ",", description = "Only adopt these types; default all.")
    public List<String> types = List.of();

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            description = "Poll interval of a cluster whose document has none, such as 1m.")
    @Nullable
    public String interval;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Flux's namespace; default flux-system.")
    @Nullable
    public String namespace;

    @Option(
            names = "--name",
            paramLabel = "WHAT=PATTERN",
            description = "Names that components have already: objects, sources, releases, target_namespace, such as"
                    + " objects=platform-{id}; release_storage=release if Helm's records are beside the HelmReleases.")
    public Map<String, String> names = Map.of();

    @Option(names = "--bindable-roles", paramLabel = "ROLE", split = ",", description = "Only these may be bound.")
    public List<String> bindableRoles = List.of();

    @Option(
            names = "--flux-instance",
            paramLabel = "WORD",
            description =
                    "Whether a FluxInstance installed Flux: absent, present, create (add one), or detect (the default):"
                            + " the cluster finds out, now or later.")
    public Instance instance = Instance.DETECT;

    @Option(names = "--prometheus-rule", description = "Add an alert rule for the Prometheus Operator.")
    public boolean prometheusRule;

    public void checkFolder() {
        if (format.isFolder() && folder == null) {
            throw new UsageProblem("a folder cannot be printed: name one with --into");
        }
    }

    /** Several clusters have a folder each. */
    public void checkFolders(boolean printed) {
        if (folder == null && !printed) {
            throw new UsageProblem("manifests of several clusters are not printed: name a folder for them with --into");
        }
    }

    /** Only what was chosen. */
    public ObjectNode request() {
        ObjectNode body = JSON.createObjectNode();
        put(body, "format", format == Format.YAML ? null : word(format));
        put(body, "flux_instance", instance == Instance.DETECT ? null : word(instance));
        put(body, "url", url);
        put(body, "poll_interval", interval);
        put(body, "namespace", namespace);
        put(body, "ca_certificate", authority == null ? null : read(authority));
        if (prometheusRule) {
            body.put("prometheus_rule", true);
        }
        if (!types.isEmpty()) {
            types.forEach(body.putArray("types")::add);
        }
        if (!bindableRoles.isEmpty()) {
            bindableRoles.forEach(body.putArray("bindable_roles")::add);
        }
        if (!names.isEmpty()) {
            names.forEach(body.putObject("names")::put);
        }
        return body;
    }

    /** The same choices as arguments of a command that the user can run. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        add(words, "--format", format == Format.YAML ? null : word(format));
        add(words, "--into", folder == null ? null : folder.toString());
        add(words, "--url", url);
        add(words, "--ca", authority == null ? null : authority.toString());
        add(words, "--types", types.isEmpty() ? null : String.join(",", types));
        add(words, "--interval", interval);
        add(words, "--namespace", namespace);
        new TreeMap<>(names).forEach((what, pattern) -> add(words, "--name", what + "=" + pattern));
        add(words, "--bindable-roles", bindableRoles.isEmpty() ? null : String.join(",", bindableRoles));
        add(words, "--flux-instance", instance == Instance.DETECT ? null : word(instance));
        if (prometheusRule) {
            words.add("--prometheus-rule");
        }
        return words;
    }

    public void print(JsonNode files, ProcessEnvironment process) {
        for (JsonNode file : files) {
            String content = file.path("content").asString("");
            if (folder == null) {
                process.out().print(content);
            } else {
                PrivateFile.write(inside(folder, file.path("path").asString("")), content);
            }
        }
    }

    /** One of several clusters, into a folder of its own. */
    public void write(JsonNode cluster) {
        Path own =
                inside(Objects.requireNonNull(folder), cluster.path("cluster").asString(""));
        for (JsonNode file : cluster.path("files")) {
            PrivateFile.write(
                    inside(own, file.path("path").asString("")),
                    file.path("content").asString(""));
        }
    }

    /** Whatever a server says, nothing is written elsewhere. */
    private static Path inside(Path folder, String name) {
        Path file = folder.resolve(name).normalize();
        if (name.isEmpty() || !file.startsWith(folder.normalize())) {
            throw new UncheckedIOException(
                    new IOException("the server names a file outside of " + folder + ": " + name));
        }
        return file;
    }

    private static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }

    private static void add(List<String> words, String option, @Nullable String value) {
        if (value != null) {
            words.add(option);
            words.add(value);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + FileTrouble.why(e), e);
        }
    }
}
