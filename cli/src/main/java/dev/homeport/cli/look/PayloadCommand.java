package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code homeport payload CLUSTER}: the very bytes that a poll gets. */
@Command(
        name = "payload",
        description = "Print the exact answer of a cluster.",
        footer = {"", "Example: homeport payload payments-prod-00417 --resource components --budget"})
final class PayloadCommand implements Callable<Integer> {
    /** What a cluster is asked about itself; no document has that type. */
    private static final String WITNESSES = "witnesses";

    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "CLUSTER", description = "A cluster, as NAME or cluster/NAME.")
    String cluster;

    @Option(
            names = "--resource",
            paramLabel = "TYPE",
            description =
                    "Type of the answer; types for the templates, witnesses for the questions; default components.")
    String resource = "components";

    @Option(names = "--shape", paramLabel = "SHAPE", description = "flat or set; default flat.")
    @Nullable
    String shape;

    @Option(names = "--budget", description = "Also print how much of Flux's limits is used.")
    boolean budget;

    @Option(names = "--as-of", paramLabel = "REVISION|TIME", description = "As it was then.")
    @Nullable
    String asOf;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        String plural = resource.equals(WITNESSES)
                ? WITNESSES
                : Kind.of(resource, client).plural();
        String path = Kind.CLUSTER.path(Reference.cluster(cluster)) + "/payload/" + plural;
        JsonNode payload = client.get(
                        new Paths(path).with("shape", shape).with("as_of", asOf).toString())
                .body();
        ProcessEnvironment process = server.process();
        if (payload.path("poll_status").asInt(0) != 200) {
            throw new ExitException(
                    ExitCodes.FAILED,
                    payload.has("hold")
                            ? "the answer is held, so the cluster keeps what it has: "
                                    + payload.path("hold").asString("")
                            : "the cluster is detached since revision "
                                    + payload.path("detached_since_revision").asString("") + ": it gets no answer");
        }
        String body = payload.path("body").asString("");
        if (output.isChosen()) {
            output.printObject(JsonMapper.shared().readTree(body));
        } else {
            process.out().println(body);
        }
        process.out().flush();
        if (budget) {
            JsonNode used = payload.path("budget");
            process.err()
                    .println(used.path("items").asString("") + "/"
                            + used.path("max_items").asString("") + " inputs, "
                            + used.path("bytes_of_larger_shape").asLong(0) / 1024 + "/"
                            + used.path("max_bytes").asLong(0) / 1024 + " KiB in the larger shape, "
                            + used.path("bytes").asString("") + " bytes here, digest "
                            + payload.path("digest").asString(""));
        }
        return ExitCodes.DONE;
    }
}
