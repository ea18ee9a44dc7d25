package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Reference;
import dev.homeport.cli.server.Paths;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code homeport findings}. */
@Command(
        name = "findings",
        description = "List problems that need attention, since when, and what to do about them.",
        footer = {"", "Example: homeport findings --cluster eu-prod-1 -o wide"})
final class FindingsCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only findings of this kind.")
    @Nullable
    String kind;

    @Option(names = "--severity", paramLabel = "WORD", description = "Only findings of this severity.")
    @Nullable
    String severity;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Only findings about this cluster.")
    @Nullable
    String cluster;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        List<JsonNode> found = new ArrayList<>();
        Pages pages = client.pages();
        JsonNode page;
        do {
            page = client.get(new Paths("/api/v2/findings")
                            .with("page_size", "1000")
                            .with("page_token", pages.token())
                            .with("kind", kind)
                            .with("severity", severity)
                            .with("cluster", cluster == null ? null : Reference.cluster(cluster))
                            .toString())
                    .body();
            page.path("items").forEach(found::add);
        } while (pages.goOn(page));
        output.print("finding", found, true);
        return ExitCodes.DONE;
    }
}
