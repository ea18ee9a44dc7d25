package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.program.RootCommand;
import dev.homeport.cli.reference.BashCompletion;
import dev.homeport.cli.reference.FishCompletion;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.NameCache;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport completion SHELL}. */
@Command(
        name = "completion",
        description = "Print a shell completion script for commands, options and names.",
        footer = {
            "",
            "Names come from a cache that every complete homeport get TYPE keeps, and that",
            "homeport completion names fills at once; pressing TAB starts no program.",
            "",
            "  bash:  source <(homeport completion bash)",
            "  zsh:   source <(homeport completion zsh)",
            "  fish:  homeport completion fish > ~/.config/fish/completions/homeport.fish"
        })
final class CompletionCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish; or names, to fill the cache.")
    String shell;

    @Override
    public Integer call() {
        ProcessEnvironment process = server.process();
        CommandLine whole = RootCommand.whole(process);
        switch (shell) {
            case "bash" -> process.out().print(BashCompletion.of(whole.getCommandSpec()));
            case "zsh" ->
                process.out()
                        .print("(( ${+functions[compdef]} )) || { autoload -U compinit && compinit }\n"
                                + "autoload -U +X bashcompinit && bashcompinit\n"
                                + BashCompletion.of(whole.getCommandSpec()));
            case "fish" -> process.out().print(FishCompletion.of(whole.getCommandSpec()));
            case "names" -> names();
            default -> throw new UsageProblem("there is completion for bash, zsh and fish");
        }
        return ExitCodes.DONE;
    }

    private void names() {
        server.sayNothingOfVersions();
        HomeportClient client = server.client();
        NameCache cache = new NameCache(server);
        for (JsonNode type : client.get("/api/v2/types").body().path("items")) {
            Kind kind =
                    new Kind(type.path("name").asString(""), type.path("plural").asString(""));
            List<JsonNode> documents = new ArrayList<>();
            if (kind.name().equals("type")) {
                client.get(kind.path()).body().path("items").forEach(documents::add);
            } else {
                documents.addAll(SelectOptions.all(
                        client, kind, new SelectOptions.Query(Optional.empty(), Optional.empty()), Optional.empty()));
            }
            cache.keep(kind, documents);
        }
    }
}
