package dev.homeport.cli.setup;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.change.AssignOptions;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.SafeText;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport can-i VERB TYPE/NAME}. */
@Command(
        name = "can-i",
        description = "Check whether you may use a verb on a document. Exit code 5: no, and which role is missing.",
        footer = {"", "Example: homeport can-i delete cluster/eu-prod-1"})
final class CanICommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(index = "0", paramLabel = "VERB", description = "read, create, update, delete, …")
    String verb;

    @Parameters(index = "1", paramLabel = "TYPE[/NAME]", description = "A type, or one document.")
    String what;

    @Parameters(index = "2", arity = "0..1", paramLabel = "NAME", description = "The document, if not given already.")
    @Nullable
    String name;

    @Override
    public Integer call() {
        HomeportClient client = server.client();
        String[] parts = what.split("/", 2);
        ObjectNode body = JsonMapper.shared()
                .createObjectNode()
                .put("verb", verb)
                .put("type", Kind.of(parts[0], client).name());
        AssignOptions.put(body, "id", parts.length == 2 ? parts[1] : name);
        JsonNode answer = client.send(
                        "POST", "/api/v2/me:can", Map.of(), Optional.of(HomeportClient.Payload.json(body)))
                .body();
        boolean allowed = answer.path("allowed").asBoolean(false);
        server.process().out().println(allowed ? "yes" : "no");
        if (!allowed) {
            server.process()
                    .err()
                    .println(SafeText.line(answer.path("reason").asString("")
                            + (answer.has("missing_role")
                                    ? "; missing: "
                                            + answer.path("missing_role").asString("") + " on "
                                            + answer.path("scope").asString("")
                                    : "")));
        }
        return allowed ? ExitCodes.DONE : ExitCodes.REFUSED;
    }
}
