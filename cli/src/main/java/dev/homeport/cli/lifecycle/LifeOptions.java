package dev.homeport.cli.lifecycle;

import dev.homeport.cli.output.Times;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.select.Targets;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Options of every lifecycle command: clusters by name or selection, and how to write. */
public final class LifeOptions {
    @Mixin
    public ServerOptions server;

    @Mixin
    public WriteOptions write;

    @Mixin
    public SelectOptions selection;

    @Parameters(arity = "0..*", paramLabel = "CLUSTER", description = "Clusters, as NAME or cluster/NAME.")
    public List<String> clusters = List.of();

    /** One cluster goes by its own path, several in one change. */
    public int run(String verb) {
        Targets targets = Targets.clusters(clusters, selection, server);
        if (targets.named().size() == 1) {
            return one(verb, targets.named().getFirst(), "", "");
        }
        return write.run(server, WriteRequest.change(targets.operations(verb)));
    }

    public int run(String verb, String flag, boolean set) {
        Targets targets = Targets.clusters(clusters, selection, server);
        if (targets.named().size() == 1) {
            return one(verb, targets.named().getFirst(), flag, set ? "true" : "");
        }
        ArrayNode operations = targets.operations(verb);
        if (set) {
            operations.forEach(operation -> ((ObjectNode) operation).put(flag, true));
        }
        return write.run(server, WriteRequest.change(operations));
    }

    /** With a time, which is for one cluster. */
    public int at(String verb, String parameter, String time, WriteRequestChange more) {
        Targets targets = Targets.clusters(clusters, selection, server);
        if (targets.named().size() != 1) {
            throw new UsageProblem("a time is for one cluster by name; without it several can be named or selected");
        }
        return write.run(
                server,
                more.apply(WriteRequest.post(targets.named().getFirst().path() + ":" + verb)
                        .asking(parameter, Times.ahead(server.process(), time))));
    }

    /** Adds parameters of a single command. */
    public interface WriteRequestChange {
        WriteRequest apply(WriteRequest request);
    }

    private int one(String verb, Reference cluster, String parameter, String value) {
        return write.run(server, WriteRequest.post(cluster.path() + ":" + verb).asking(parameter, value));
    }
}
