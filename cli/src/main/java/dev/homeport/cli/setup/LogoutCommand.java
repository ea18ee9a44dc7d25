package dev.homeport.cli.setup;

import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.ProviderTokens;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.server.ServerOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import dev.homeport.cli.write.WriteRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code homeport logout}: the token leaves this machine; it is not revoked. */
@Command(
        name = "logout",
        description = "Remove a context's token from this machine; 'homeport token revoke' invalidates it.",
        footer = {"", "Example: homeport logout --everywhere"})
final class LogoutCommand implements Callable<Integer> {
    @Mixin
    ServerOptions server;

    @Parameters(arity = "0..1", paramLabel = "CONTEXT", description = "Default the current one.")
    @Nullable
    String name;

    @Option(
            names = "--everywhere",
            description = "Also end all your sessions and sign-ins on the server. Homeport tokens keep working.")
    boolean everywhere;

    @Option(
            names = "--subject",
            paramLabel = "SUBJECT",
            description = "With --everywhere: end those of person:NAME or service:NAME instead; platform admins only.")
    @Nullable
    String subject;

    private final ProcessEnvironment process;

    LogoutCommand(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        Contexts contexts = Contexts.of(process);
        String chosen = name != null
                ? name
                : contexts.current()
                        .orElseThrow(() -> new UsageProblem(
                                "no context is current: name one of those that homeport context list shows"));
        if (subject != null && !everywhere) {
            throw new UsageProblem("--subject goes with --everywhere");
        }
        if (everywhere) {
            signOutEverywhere(chosen);
        }
        if (subject != null) {
            return ExitCodes.DONE;
        }
        try (var _ = contexts.turn()) {
            return new TokenStore(process).forget(contexts.replace(ProviderTokens.forgotten(contexts.get(chosen))))
                    ? ExitCodes.DONE
                    : ExitCodes.FAILED;
        }
    }

    private void signOutEverywhere(String context) {
        server.context = context;
        ObjectNode body = JsonMapper.shared().createObjectNode();
        if (subject != null) {
            body.put("subject", subject);
        }
        WriteRequest request = WriteRequest.post("/api/v2/me:sign-out-everywhere", body);
        JsonNode answer = server.client()
                .send(request.method(), request.path(), request.headers(), request.body())
                .body();
        process.err()
                .println("all sessions of "
                        + SafeText.line(answer.path("subject").asString("")) + " are ended");
    }
}
