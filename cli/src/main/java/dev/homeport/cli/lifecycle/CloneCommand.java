package dev.homeport.cli.lifecycle;

import dev.homeport.cli.change.AssignOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport clone CLUSTER NEW --dns NAME}. */
@Command(
        name = "clone",
        description = "Create a cluster as a copy of another one.",
        footer = {"", "Example: homeport clone eu-prod-1 eu-prod-2 --dns eu-prod-2.k8s.example.com -l region=eu-2"})
final class CloneCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "The cluster to copy.")
    String source;

    @Parameters(index = "1", paramLabel = "NEW", description = "The new cluster's id.")
    String name;

    @Option(names = "--dns", paramLabel = "NAME", description = "The DNS name it polls under; default its id.")
    @Nullable
    String dns;

    @Option(
            names = {"--env", "--environment"},
            paramLabel = "NAME",
            description = "Another environment.")
    @Nullable
    String environment;

    @Option(
            names = {"-W", "--workspace"},
            paramLabel = "NAME",
            description = "Another workspace.")
    @Nullable
    String workspace;

    @Option(names = "--owner", paramLabel = "NAME", description = "Another owner.")
    @Nullable
    String owner;

    @Option(
            names = {"-l", "--label"},
            split = ",",
            paramLabel = "KEY=VALUE",
            description = "Another label; can be repeated.")
    List<String> labels = List.of();

    @Override
    public Integer call() {
        ObjectNode body =
                JsonMapper.shared().createObjectNode().put("id", name).put("cluster_dns", dns == null ? name : dns);
        AssignOptions.put(body, "environment", environment);
        AssignOptions.put(body, "workspace", workspace);
        AssignOptions.put(body, "owner", owner);
        if (!labels.isEmpty()) {
            ObjectNode changed = body.putObject("labels");
            for (String pair : labels) {
                int sign = pair.indexOf('=');
                if (sign < 1) {
                    throw new UsageProblem(pair + " is not KEY=VALUE");
                }
                changed.put(pair.substring(0, sign), pair.substring(sign + 1));
            }
        }
        return write.run(server, WriteRequest.post(Kind.CLUSTER.path(Reference.cluster(source)) + ":clone", body));
    }
}
