package dev.homeport.cli;

import dev.homeport.cli.terminal.Surroundings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code homeport join}: with a join token, once. */
@Command(
        name = "join",
        description =
                "Exchanges a join token, in HOMEPORT_TOKEN, for the cluster's own and prints what the cluster needs.",
        footer = {"", "Example: HOMEPORT_TOKEN=$(cat join-token) homeport join --server https://homeport.example.com"})
final class JoinCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Override
    public Integer call() {
        Surroundings surroundings = server.surroundings();
        if (surroundings.variable("HOMEPORT_TOKEN").isEmpty()) {
            throw new UsageProblem(
                    "the join token comes in HOMEPORT_TOKEN; homeport token create --join CLUSTER makes one");
        }
        JsonNode joined = server.client()
                .send("POST", "/api/v2/join", Map.of(), Optional.empty())
                .body();
        String manifests = joined.path("manifests").asString("");
        surroundings.out().println(manifests.isEmpty() ? joined.path("token").asString("") : manifests);
        surroundings
                .err()
                .println("cluster/" + joined.path("cluster").asString("") + " has token/"
                        + joined.path("token_id").asString("") + "; it is shown this once");
        return ExitCodes.DONE;
    }
}
