package dev.homeport.cli.lifecycle;

import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code homeport repair CLUSTER}: one at a time, because each has its own plan to read. */
@Command(
        name = "repair",
        description = "Repair the record of a cluster whose polls fail because the record cannot be read.",
        footer = {
            "",
            "The record is written again as the log has it, so that the cluster gets the same answers as before. If the log",
            "does not have it either, the cluster is detached: nothing on it changes, and `homeport undelete` takes it back.",
            "A record that can be read is never changed.",
            "",
            "Example: homeport repair cluster/eu-dev-1 --dry-run"
        })
final class RepairCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "CLUSTER", description = "The cluster, as NAME or cluster/NAME.")
    String cluster;

    @Override
    public Integer call() {
        return write.run(server, WriteRequest.post(Kind.CLUSTER.path(Reference.cluster(cluster)) + ":repair"));
    }
}
