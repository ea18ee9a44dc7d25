package dev.homeport.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport bootstrap CLUSTER | kubectl apply -f -}. */
@Command(
        name = "bootstrap",
        description = "Makes a token for a cluster and prints the manifests with which it begins to phone home.",
        footer = {
            "",
            "Examples:",
            "  homeport bootstrap payments-prod-00418 | kubectl apply -f -",
            "  homeport bootstrap payments-prod-00418 --types namespaces",
            "  homeport bootstrap payments-prod-00418 --name objects=platform-{id} --name release_storage=release"
        })
final class BootstrapCommand implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** What is printed. */
    enum Format {
        YAML,
        KUSTOMIZE,
        CLUSTERAPI
    }

    /** Whether Flux is installed by a FluxInstance. */
    enum Instance {
        ABSENT,
        PRESENT,
        CREATE
    }

    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "CLUSTER", description = "The cluster's id.")
    String cluster;

    @Option(names = "--format", paramLabel = "FORM", description = "yaml, kustomize (a folder) or clusterapi.")
    Format format = Format.YAML;

    @Option(names = "--into", paramLabel = "DIR", description = "Write files into this folder instead of printing.")
    @Nullable
    Path folder;

    @Option(names = "--url", paramLabel = "URL", description = "Where the cluster reaches Homeport.")
    @Nullable
    String url;

    @Option(names = "--ca", paramLabel = "FILE", description = "Certificates, in PEM, of who vouches for that address.")
    @Nullable
    Path authority;

    @Option(names = "--types", paramLabel = "TYPE", split = ",", description = "Adopt these types alone; default all.")
    List<String> types = List.of();

    @Option(names = "--interval", paramLabel = "DURATION", description = "How often the cluster asks, such as 1m.")
    @Nullable
    String interval;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Where Flux lives; default flux-system.")
    @Nullable
    String namespace;

    @Option(
            names = "--name",
            paramLabel = "WHAT=PATTERN",
            description = "Names that components have already: objects, sources, releases, target_namespace, such as"
                    + " objects=platform-{id}; release_storage=release if Helm's records are beside the HelmReleases.")
    Map<String, String> names = Map.of();

    @Option(names = "--bindable-roles", paramLabel = "ROLE", split = ",", description = "Only these may be bound.")
    List<String> bindableRoles = List.of();

    @Option(names = "--flux-instance", paramLabel = "WORD", description = "absent, present or create.")
    Instance instance = Instance.ABSENT;

    @Option(
            names = "--client-certificate",
            paramLabel = "SECRET",
            description = "Poll with the certificate in this Secret of the cluster (tls.crt, tls.key, and ca.crt of who"
                    + " vouches for Homeport) in place of a token.")
    @Nullable
    String clientCertificate;

    @Option(names = "--prometheus-rule", description = "Add an alert rule for the Prometheus Operator.")
    boolean prometheusRule;

    @Option(names = "--replace", description = "Revoke the older of two tokens that work.")
    boolean replace;

    @Override
    public Integer call() {
        if (format == Format.KUSTOMIZE && folder == null) {
            throw new UsageProblem("a folder cannot be printed: name one with --into");
        }
        write.checkOutput();
        WriteRequest asked =
                WriteRequest.post(Kind.CLUSTER.path() + "/" + Paths.encoded(cluster) + ":bootstrap", request());
        if (write.dryRun) {
            return write.run(server, asked);
        }
        JsonNode answer = write.send(server.client(), asked).body();
        if (!write.isText()) {
            write.print(answer);
            return ExitCodes.DONE;
        }
        for (JsonNode file : answer.path("files")) {
            String content = file.path("content").asString("");
            if (folder == null) {
                server.surroundings().out().print(content);
            } else {
                write(folder.resolve(file.path("path").asString("")), content);
            }
        }
        String made = clientCertificate == null
                ? "made token/" + answer.path("token_id").asString("") + " for " + cluster
                        + "; it is in the manifests and is not shown again"
                : "no token was made: " + cluster + " polls with the certificate in its Secret " + clientCertificate;
        server.surroundings().err().println(made);
        return ExitCodes.DONE;
    }

    private ObjectNode request() {
        ObjectNode body = JSON.createObjectNode()
                .put("format", word(format))
                .put("replace", replace)
                .put("flux_instance", word(instance))
                .put("prometheus_rule", prometheusRule);
        put(body, "url", url);
        put(body, "poll_interval", interval);
        put(body, "namespace", namespace);
        put(body, "client_certificate", clientCertificate);
        put(body, "ca_certificate", authority == null ? null : read(authority));
        types.forEach(body.putArray("types")::add);
        bindableRoles.forEach(body.putArray("bindable_roles")::add);
        ObjectNode patterns = body.putObject("names");
        names.forEach(patterns::put);
        return body;
    }

    private static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** For nobody else's eyes: there are secrets in it. */
    private static void write(Path file, String content) {
        try {
            PrivateFile.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
