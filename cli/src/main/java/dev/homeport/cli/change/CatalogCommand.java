package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.YamlText;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.DocumentFiles;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.nio.file.Path;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport catalog add NAME}. */
@Command(name = "catalog", description = "Manage the catalog of components.", subcommands = CatalogCommand.Add.class)
final class CatalogCommand {

    @Command(
            name = "add",
            description = "Add a component.",
            footer = {
                "",
                "Example: homeport catalog add grafana --path observability/grafana/17.0.0 --oci-tag v1.0.0 --env-overlays"
            })
    static final class Add implements Callable<Integer> {
        @Mixin
        ServerOptions server;

        @Mixin
        WriteOptions write;

        @Parameters(paramLabel = "NAME", description = "The component's id.")
        String name;

        @Option(
                names = "--path",
                required = true,
                paramLabel = "PATH",
                description = "Path in the artifact; for helm the chart's name.")
        String path;

        @Option(names = "--oci-tag", required = true, paramLabel = "TAG", description = "Tag, or the chart's version.")
        String tag;

        @Option(
                names = "--oci-url",
                paramLabel = "URL",
                description =
                        "Where the artifact is; default where all others of its kind are, or beside them if each is in one of its own"
                                + " name.")
        @Nullable
        String url;

        @Option(names = "--version", paramLabel = "VERSION", description = "Default the last part of the path.")
        @Nullable
        String version;

        @Option(names = "--kind", paramLabel = "KIND", description = "kustomize (default) or helm.")
        @Nullable
        String kind;

        @Option(names = "--env-overlays", description = "The environment is appended to the path.")
        boolean overlays;

        @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace to install into.")
        @Nullable
        String namespace;

        @Option(
                names = "--depends-on",
                split = ",",
                paramLabel = "NAME,…",
                description = "Components that must be ready first.")
        List<String> dependsOn = List.of();

        @Option(names = "--owner", paramLabel = "NAME", description = "Responsible team or person.")
        @Nullable
        String owner;

        @Option(names = "--stateful", description = "Removing it loses data, so removals need a confirmation.")
        boolean stateful;

        @Option(names = "--values", paramLabel = "FILE", description = "YAML file with default values.")
        @Nullable
        Path values;

        @Override
        public Integer call() {
            ObjectNode spec = JsonMapper.shared().createObjectNode();
            AssignOptions.put(spec, "kind", kind);
            spec.put("component_path", path)
                    .put("component_version", version == null ? path.substring(path.lastIndexOf('/') + 1) : version)
                    .put("oci_url", url == null ? usual() : url)
                    .put("oci_tag", tag);
            AssignOptions.put(spec, "target_namespace", namespace);
            AssignOptions.put(spec, "owner", owner);
            if (overlays) {
                spec.put("cluster_env_enabled", true);
            }
            if (stateful) {
                spec.put("stateful", true);
            }
            dependsOn.forEach(one -> spec.withArray("depends_on").add(one));
            if (values != null) {
                spec.set("values", read(values));
            }
            ObjectNode body = JsonMapper.shared().createObjectNode().put("id", name);
            body.set("spec", spec);
            return write.run(server, WriteRequest.post(Kind.COMPONENT.path(), body));
        }

        private static JsonNode read(Path file) {
            try {
                return YamlText.read(DocumentFiles.text(file));
            } catch (JacksonException e) {
                throw new UsageProblem(file + " is not YAML: " + e.getOriginalMessage());
            }
        }

        /** Many catalogs are one artifact, or one folder of artifacts; its address is the default then. */
        private String usual() {
            HomeportClient client = server.client();
            Set<String> urls = new TreeSet<>();
            Set<String> folders = new TreeSet<>();
            SelectOptions.all(
                            client,
                            Kind.COMPONENT,
                            new SelectOptions.Query(Optional.empty(), Optional.empty()),
                            Optional.empty())
                    .stream()
                    .filter(one -> one.path("spec")
                            .path("kind")
                            .asString("kustomize")
                            .equals(kind == null ? "kustomize" : kind))
                    .forEach(one -> {
                        String known = one.path("spec").path("oci_url").asString("");
                        String end = "/" + one.path("id").asString("");
                        urls.add(known);
                        folders.add(known.endsWith(end) ? known.substring(0, known.length() - end.length()) : "");
                    });
            if (folders.size() == 1 && !folders.contains("")) {
                return folders.iterator().next() + "/" + name;
            }
            if (urls.size() != 1) {
                throw new UsageProblem("say where the artifact is with --oci-url"
                        + (urls.isEmpty() ? "" : "; others are at " + String.join(", ", urls)));
            }
            return urls.iterator().next();
        }
    }
}
