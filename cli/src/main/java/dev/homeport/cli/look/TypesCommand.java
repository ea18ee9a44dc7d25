package dev.homeport.cli.look;

import dev.homeport.cli.output.OutputOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.UsageProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code homeport types [NAME]}: what documents there can be. */
@Command(
        name = "types",
        description = "List document types; with a name, print that type's JSON Schema.",
        footer = {"", "A user-defined type is a document of type \"type\": homeport apply -f my-type.yaml"})
final class TypesCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Mixin
    OutputOptions output;

    @Parameters(arity = "0..1", paramLabel = "TYPE", description = "One type.")
    @Nullable
    String type;

    @Override
    public Integer call() {
        var client = server.client();
        List<JsonNode> all = new ArrayList<>();
        client.get("/api/v2/types").body().path("items").forEach(all::add);
        if (type == null) {
            output.print("type", all, true);
            return ExitCodes.DONE;
        }
        Kind kind = Kind.of(type, client);
        JsonNode found = all.stream()
                .filter(one -> one.path("name").asString("").equals(kind.name()))
                .findFirst()
                .orElseThrow(() -> new UsageProblem("there is no type " + type + "; homeport types lists them"));
        output.printObject(found.path("schema"));
        return ExitCodes.DONE;
    }
}
