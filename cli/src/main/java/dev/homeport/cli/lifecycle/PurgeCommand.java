package dev.homeport.cli.lifecycle;

import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport purge CLUSTER}: by name only, because this cannot be taken back. */
@Command(
        name = "purge",
        description = "Purge decommissioned clusters: revoke their tokens and free their names. By name only.")
final class PurgeCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(arity = "1..*", paramLabel = "CLUSTER", description = "Clusters, as NAME or cluster/NAME.")
    List<String> clusters;

    @Option(names = "--force", description = "Purge even if cleanup was not confirmed.")
    boolean force;

    @Override
    public Integer call() {
        if (clusters.size() == 1) {
            return write.run(
                    server,
                    WriteRequest.post(Kind.CLUSTER.path(Reference.cluster(clusters.getFirst())) + ":purge")
                            .asking("force", force ? "true" : ""));
        }
        ArrayNode operations = JsonMapper.shared().createArrayNode();
        clusters.forEach(name -> {
            ObjectNode operation = operations
                    .addObject()
                    .put("op", "purge")
                    .put("type", "cluster")
                    .put("id", Reference.cluster(name));
            if (force) {
                operation.put("force", true);
            }
        });
        return write.run(server, WriteRequest.change(operations));
    }
}
