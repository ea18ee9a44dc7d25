package dev.homeport.cli.look;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.output.ProbeSummary;
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
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport probe NAME}. */
@Command(
        name = "probe",
        description = "Show what clusters answer to a probe.",
        footer = {"", "Example: homeport probe ingress-ready --outcome failed"})
final class ProbeCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(paramLabel = "NAME", description = "A probe, as NAME or probe/NAME.")
    String name;

    @Option(
            names = "--outcome",
            paramLabel = "WORD",
            description = "Only this outcome: passed, failed, answered, error or pending.")
    @Nullable
    String outcome;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        String id = name.startsWith("probe/") ? name.substring("probe/".length()) : name;
        List<JsonNode> found = new ArrayList<>();
        Pages pages = client.pages();
        JsonNode page;
        do {
            page = client.get(new Paths("/api/v2/probes/" + Paths.encoded(id) + "/results")
                            .with("page_size", "1000")
                            .with("page_token", pages.token())
                            .with("outcome", outcome)
                            .toString())
                    .body();
            page.path("items").forEach(found::add);
        } while (pages.goOn(page));
        output.print("probe_result", found, true);
        if (output.isTable() && output.withHeaders()) {
            ProbeSummary.lines(page, output.room()).forEach(server.process().out()::println);
        }
        return ExitCodes.DONE;
    }
}
