package dev.homeport.cli.login;

import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The token of a context for one command: got when it is needed, and again before it ends, for commands that wait long. */
public final class SignedIn implements Supplier<Optional<String>> {
    /** Before a token's end another is got, so that it does not end on its way. */
    public static final long EARLY_SECONDS = 20;

    private final ProcessEnvironment process;
    private Contexts.Context context;
    private boolean opened;
    private boolean renewing = true;
    private Optional<String> ofJob = Optional.empty();
    private Instant ofJobUntil = Instant.MAX;

    public SignedIn(Contexts.Context context, ProcessEnvironment process) {
        this.context = context;
        this.process = process;
    }

    @Override
    public synchronized Optional<String> get() {
        Optional<CiToken> ci = CiToken.of(context);
        if (ci.isPresent()) {
            if (ofJob.isEmpty() || !process.clock().instant().isBefore(ofJobUntil)) {
                String token = ci.get().fetch(process);
                ofJob = Optional.of(token);
                ofJobUntil = end(token).minusSeconds(EARLY_SECONDS);
            }
            return ofJob;
        }
        if (!opened) {
            context = new TokenStore(process).opened(context);
            opened = true;
        }
        if (renewing) {
            Contexts.Context before = context;
            context = ProviderTokens.renewed(before, Contexts.of(process), process);
            // A failed renewal is reported once, not with every request.
            renewing = !ProviderTokens.needsRenewal(context, process.clock().instant());
        }
        return context.token().map(this::sound);
    }

    /** An invalid token would end as a stack trace that contains it. */
    private String sound(String token) {
        if (!ProviderTokens.isToken(token)) {
            throw new ExitException(
                    ExitCodes.LOGIN_NEEDED,
                    "what context " + context.name() + " has is not a token; sign in again: " + context.loginCommand());
        }
        return token;
    }

    /** What a token says of its end; whether that is true is for the server to judge. */
    private static Instant end(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length == 3) {
            try {
                long end = JsonMapper.shared()
                        .readTree(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8))
                        .path("exp")
                        .asLong(0);
                return end > 0 ? Instant.ofEpochSecond(end) : Instant.MAX;
            } catch (IllegalArgumentException | JacksonException | DateTimeException e) {
                return Instant.MAX;
            }
        }
        return Instant.MAX;
    }
}
