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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport unassign ITEM… -l env=dev}. */
@Command(
        name = "unassign",
        description = "Unassign components, namespaces, … from clusters or a layer; Flux removes them.",
        footer = {"", "With --mask, what a lower layer assigns is taken out as well."})
final class UnassignCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Mixin
    AssignOptions where;

    @Option(names = "--mask", description = "Also remove what a lower layer assigns.")
    boolean mask;

    @Parameters(paramLabel = "ITEM", arity = "1..*", description = "A component, or TYPE/NAME.")
    List<String> items;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        Targets targets = where.targets(server, client);
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        for (String word : items) {
            Reference item = AssignOptions.item(word, client);
            AssignOptions.add(patch, item.kind(), element(item.id()));
        }
        return write.run(server, WriteRequest.change(AssignOptions.operations(targets, patch)));
    }

    private ObjectNode element(String id) {
        ObjectNode element = JsonMapper.shared().createObjectNode().put("id", id);
        return mask ? element.put("remove", true) : element.put("$remove", true);
    }
}
