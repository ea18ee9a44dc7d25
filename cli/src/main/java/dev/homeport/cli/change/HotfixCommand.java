package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
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

/** {@code homeport hotfix COMPONENT --oci-tag T}. */
@Command(
        name = "hotfix",
        description =
                "Change a component immediately, in the catalog or on some clusters; passes freezes, and needs a reason.",
        footer = {
            "",
            "Example: homeport hotfix cert-manager --oci-tag v1.0.0-1 --affected-by CVE-2026-1234 --reason INC-8812 --wait"
        })
final class HotfixCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    AssignOptions where;

    @Parameters(paramLabel = "COMPONENT", description = "The component.")
    String component;

    @Option(names = "--path", paramLabel = "PATH", description = "The new component_path.")
    @Nullable
    String path;

    @Option(names = "--oci-tag", paramLabel = "TAG", description = "The new oci_tag.")
    @Nullable
    String tag;

    @Option(names = "--version", paramLabel = "VERSION", description = "The new component_version, in the catalog.")
    @Nullable
    String version;

    @Option(
            names = "--affected-by",
            paramLabel = "ID",
            description = "Id of the fixed vulnerability or incident; added to the reason.")
    @Nullable
    String affectedBy;

    @Override
    public Integer call() {
        if (path == null && tag == null) {
            throw new UsageProblem("say what the fix is: --oci-tag or --path");
        }
        if (affectedBy != null) {
            write.reason = (affectedBy + " " + write.reason()).strip();
        }
        if (write.reason().isEmpty()) {
            throw new UsageProblem("a hotfix needs a --reason");
        }
        HomeportClient client = server.client();
        ObjectNode fields = JsonMapper.shared().createObjectNode();
        AssignOptions.put(fields, "component_path", path);
        AssignOptions.put(fields, "oci_tag", tag);
        ArrayNode operations;
        if (where.isEmpty()) {
            JsonNode catalog = client.get(Kind.COMPONENT.path(component)).body();
            AssignOptions.put(fields, "component_version", version);
            operations = JsonMapper.shared().createArrayNode();
            operations
                    .addObject()
                    .put("op", "patch")
                    .put("type", Kind.COMPONENT.name())
                    .put("id", component)
                    .put("if_revision", catalog.path("meta").path("revision").asLong(0))
                    .set("patch", fields);
        } else {
            AssignOptions.put(fields, "reason", write.reason());
            operations = Overrides.set(where.targets(server, client).documents(client), component, fields);
        }
        return write.run(server, WriteRequest.change(operations).asking("hotfix", "true"));
    }
}
