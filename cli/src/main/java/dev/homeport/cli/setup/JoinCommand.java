package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.lifecycle.ManifestOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport join}: with a join token, once. */
@Command(
        name = "join",
        description = "Exchange a join token, in HOMEPORT_TOKEN, for the cluster's own token and print the manifests.",
        footer = {"", "Example: HOMEPORT_TOKEN=$(cat join-token) homeport join --server https://homeport.example.com"})
final class JoinCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    ManifestOptions manifests;

    @Override
    public Integer call() {
        manifests.checkFolder();
        ProcessEnvironment process = server.process();
        if (process.variable("HOMEPORT_TOKEN").isEmpty()) {
            throw new UsageProblem(
                    "the join token comes in HOMEPORT_TOKEN; homeport token create --join CLUSTER makes one");
        }
        ObjectNode wanted = manifests.request();
        JsonNode joined = server.client()
                .send(
                        "POST",
                        "/api/v2/join",
                        Map.of(),
                        wanted.isEmpty() ? Optional.empty() : Optional.of(HomeportClient.Payload.json(wanted)))
                .body();
        JsonNode files = joined.path("files");
        if (files.isEmpty()) {
            process.out().println(joined.path("token").asString(""));
        } else {
            manifests.print(files, process);
        }
        process.err()
                .println("cluster/" + joined.path("cluster").asString("") + " has token/"
                        + joined.path("token_id").asString("") + "; it is shown this once");
        return ExitCodes.DONE;
    }
}
