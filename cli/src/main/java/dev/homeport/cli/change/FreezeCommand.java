package dev.homeport.cli.change;

import dev.homeport.cli.output.Times;
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
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport freeze NAME --env prod --until 24h --reason …}. */
@Command(
        name = "freeze",
        description = "Freeze changes of the fleet, an environment, a workspace or a cluster. Hotfixes pass.",
        footer = {
            "",
            "homeport get freezes lists them; homeport unfreeze NAME lifts one.",
            "",
            "Example: homeport freeze year-end --env prod --until 2027-01-03 --reason 'year end'"
        })
final class FreezeCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    WriteOptions write;

    @Parameters(paramLabel = "NAME", description = "The freeze's name.")
    String name;

    @Option(names = "--fleet", description = "The whole fleet.")
    boolean fleet;

    @Option(
            names = {"--env", "--environment"},
            paramLabel = "NAME",
            description = "An environment.")
    @Nullable
    String environment;

    @Option(
            names = {"-W", "--workspace"},
            paramLabel = "NAME",
            description = "A workspace.")
    @Nullable
    String workspace;

    @Option(names = "--cluster", paramLabel = "NAME", description = "A cluster.")
    @Nullable
    String cluster;

    @Option(names = "--until", paramLabel = "TIME", description = "Expiry, as 24h, or a time.")
    @Nullable
    String until;

    @Option(names = "--owner", paramLabel = "NAME", description = "Responsible team or person.")
    @Nullable
    String owner;

    @Override
    public Integer call() {
        if (write.reason().isEmpty()) {
            throw new UsageProblem("--reason is required");
        }
        ObjectNode body = JsonMapper.shared().createObjectNode().put("id", name);
        ObjectNode spec = body.putObject("spec");
        ObjectNode scope = spec.putObject("scope");
        if (fleet) {
            scope.put("fleet", true);
        }
        AssignOptions.put(scope, "environment", environment);
        AssignOptions.put(scope, "workspace", workspace);
        AssignOptions.put(scope, "cluster", cluster);
        if (scope.size() != 1) {
            throw new UsageProblem("say what is frozen: exactly one of --fleet, --env, -W and --cluster");
        }
        spec.put("reason", write.reason());
        AssignOptions.put(spec, "owner", owner);
        AssignOptions.put(spec, "expires_at", until == null ? null : Times.ahead(server.process(), until));
        return write.run(server, WriteRequest.post("/api/v2/freezes", body));
    }
}
