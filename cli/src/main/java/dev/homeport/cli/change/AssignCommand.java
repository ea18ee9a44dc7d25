package dev.homeport.cli.change;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport assign ITEM… -l env=dev}. */
@Command(
        name = "assign",
        description = "Assign components, namespaces, … to clusters or to a layer.",
        footer = {
            "",
            "Examples:",
            "  homeport assign grafana -l env=dev --dry-run",
            "  homeport assign grafana --filter 'env=prod AND workspace=payments' --reason OBS-31",
            "  homeport assign grafana namespace/monitoring --to workspace/payments"
        })
final class AssignCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    AssignOptions where;

    @Parameters(paramLabel = "ITEM", arity = "1..*", description = "A component, or TYPE/NAME.")
    List<String> items;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        Targets targets = where.targets(server, client);
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        for (String word : items) {
            Reference item = AssignOptions.item(word, client);
            // A cluster that only overrides it, or excludes it, assigns it from now on.
            AssignOptions.add(
                    patch,
                    item.kind(),
                    JsonMapper.shared()
                            .createObjectNode()
                            .put("id", item.id())
                            .putNull("assign")
                            .putNull("remove"));
        }
        return write.run(server, WriteRequest.change(AssignOptions.operations(targets, patch)));
    }
}
