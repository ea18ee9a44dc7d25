package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.change.AssignOptions;
import dev.homeport.cli.output.Times;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.PlannedWrite;
import dev.homeport.cli.write.WriteOptions;
import dev.homeport.cli.write.WriteRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport token …}. A token is printed once, on stdout and nothing else with it. */
@Command(
        name = "token",
        description = "Create, rotate and revoke tokens; 'homeport get tokens' lists them.",
        subcommands = {TokenCommand.Create.class, TokenCommand.Rotate.class, TokenCommand.Revoke.class})
final class TokenCommand {

    private static int print(ServerOptions server, WriteOptions write, WriteRequest request) {
        write.checkOutput();
        if (write.dryRun) {
            return write.run(server, request);
        }
        HomeportClient.Answer answer = new PlannedWrite(write, server).once(request);
        JsonNode body = answer.body();
        if (write.isText()) {
            server.process().out().println(body.path("token").asString(""));
            server.process()
                    .err()
                    .println("token/" + body.path("id").asString("") + " is shown this once: keep it now");
            String end = body.path("spec").path("expires_at").asString("");
            boolean ofCluster = body.path("spec").path("kind").asString("").equals("cluster");
            String parent = ofCluster ? "" : body.path("spec").path("parent").asString("");
            server.process()
                    .err()
                    .println((end.isEmpty() ? "It does not expire" : "It expires at " + end)
                            + (parent.isEmpty() ? "." : ", and ends with token/" + parent + ", which made it."));
        } else {
            write.print(body);
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "create",
            description = "Create a token for a cluster, a person or a service, and print it once.",
            footer = {"", "Example: homeport token create --service ci/deploy --access admin --ttl 90d > token"})
    static final class Create implements Callable<Integer> {
        @Mixin
        ServerOptions server;

        @Mixin
        WriteOptions write;

        @Option(names = "--cluster", paramLabel = "NAME", description = "For a cluster, which polls with it.")
        @Nullable
        String cluster;

        @Option(names = "--person", paramLabel = "NAME", description = "For a person.")
        @Nullable
        String person;

        @Option(names = "--service", paramLabel = "NAME", description = "For a service.")
        @Nullable
        String service;

        @Option(names = "--join", paramLabel = "CLUSTER", description = "For provisioning a cluster; works once.")
        @Nullable
        String join;

        @Option(
                names = "--access",
                paramLabel = "WORD",
                description = "reader or admin; default what is granted to the subject.")
        @Nullable
        String access;

        @Option(names = "--ttl", paramLabel = "TIME", description = "Expiry, as 90d, or a time.")
        @Nullable
        String ttl;

        @Option(names = "--label", paramLabel = "TEXT", description = "For people: where the token is.")
        @Nullable
        String label;

        @Override
        public Integer call() {
            ObjectNode body = JsonMapper.shared().createObjectNode();
            ObjectNode spec = body.putObject("spec");
            for (Map.Entry<String, Optional<String>> one : Map.of(
                            "cluster", Optional.ofNullable(cluster),
                            "person", Optional.ofNullable(person),
                            "service", Optional.ofNullable(service),
                            "join", Optional.ofNullable(join))
                    .entrySet()) {
                if (one.getValue().isPresent()) {
                    if (spec.has("kind")) {
                        throw new UsageProblem("a token is for one of --cluster, --person, --service and --join");
                    }
                    spec.put("kind", one.getKey()).put("subject", one.getValue().get());
                }
            }
            if (!spec.has("kind")) {
                throw new UsageProblem("say whom the token is for: --cluster, --person, --service or --join");
            }
            AssignOptions.put(spec, "access", access);
            AssignOptions.put(spec, "label", label);
            AssignOptions.put(spec, "expires_at", ttl == null ? null : Times.ahead(server.process(), ttl));
            return print(server, write, WriteRequest.post("/api/v2/tokens", body));
        }
    }

    @Command(name = "rotate", description = "Create a new token; the old one expires after the overlap.")
    static final class Rotate implements Callable<Integer> {
        @Mixin
        ServerOptions server;

        @Mixin
        WriteOptions write;

        @Parameters(paramLabel = "ID", description = "The token's id.")
        String id;

        @Option(names = "--overlap", paramLabel = "TIME", description = "How long both work; default 24h.")
        @Nullable
        String overlap;

        @Override
        public Integer call() {
            ObjectNode body = JsonMapper.shared().createObjectNode();
            if (overlap != null) {
                Duration both = Times.duration(overlap);
                body.put("overlap_seconds", both.toSeconds());
            }
            return print(server, write, WriteRequest.post("/api/v2/tokens/" + Paths.encoded(id) + ":rotate", body));
        }
    }

    @Command(name = "revoke", description = "Revoke a token, immediately and everywhere.")
    static final class Revoke implements Callable<Integer> {
        @Mixin
        ServerOptions server;

        @Mixin
        WriteOptions write;

        @Parameters(paramLabel = "ID", description = "The token's id.")
        String id;

        @Override
        public Integer call() {
            return write.run(
                    server,
                    new WriteRequest("DELETE", "/api/v2/tokens/" + Paths.encoded(id), Map.of(), Optional.empty()));
        }
    }
}
