package dev.homeport.cli;

import dev.homeport.cli.terminal.Surroundings;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code homeport logout}: the token leaves this machine; it is not revoked. */
@Command(name = "logout", description = "Forgets a context's token here; homeport token revoke makes it stop working.")
final class LogoutCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "CONTEXT", description = "Default the current one.")
    @Nullable
    String name;

    private final Surroundings surroundings;

    LogoutCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Contexts contexts = Contexts.of(surroundings);
        String chosen = name != null
                ? name
                : contexts.current()
                        .orElseThrow(() -> new UsageProblem(
                                "no context is current: name one of those that homeport context list shows"));
        try (var _ = contexts.turn()) {
            return new KeptTokens(surroundings).forget(contexts.replace(ProviderTokens.forgotten(contexts.get(chosen))))
                    ? ExitCodes.DONE
                    : ExitCodes.FAILED;
        }
    }
}
