package dev.homeport.cli.login;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Tokens of an identity provider: a short-lived access token, and a refresh token.
 *
 * @param endpoint the token endpoint
 */
public record ProviderTokens(String access, String refresh, Instant until, String endpoint, String client) {
    /** What a context has of it; all of this is kept in one place. */
    public static final Set<String> SETTINGS =
            Set.of("token", "refresh_token", "token_until", "token_endpoint", "token_client");

    public static ProviderTokens of(JsonNode answer, String endpoint, String client, InstantSource clock) {
        String access = answer.path("access_token").asString("");
        if (!isToken(access)) {
            throw new UsageProblem("the identity provider gave no token: sign in again");
        }
        return new ProviderTokens(
                access,
                answer.path("refresh_token").asString(""),
                clock.instant()
                        .plusSeconds(answer.path("expires_in").asLong(60))
                        .truncatedTo(ChronoUnit.SECONDS),
                endpoint,
                client);
    }

    /** Whether this can be sent to a server. */
    public static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(sign -> sign > 0x20 && sign < 0x7F);
    }

    public Contexts.Context in(Contexts.Context context) {
        return context.with("token", access)
                .with("refresh_token", refresh)
                .with("token_until", until.toString())
                .with("token_endpoint", endpoint)
                .with("token_client", client);
    }

    /** A context without a sign-in. */
    public static Contexts.Context forgotten(Contexts.Context context) {
        Contexts.Context left = context;
        for (String setting : SETTINGS) {
            left = left.with(setting, "");
        }
        for (String setting : CiToken.SETTINGS) {
            left = left.with(setting, "");
        }
        return left.with(TokenStore.SETTING, "");
    }

    /** The context with a token that still lasts, if the provider gives one; as it is where it needs none. */
    public static Contexts.Context renewed(Contexts.Context context, Contexts contexts, ProcessEnvironment process) {
        if (!needsRenewal(context, process.clock().instant())) {
            return context;
        }
        TokenStore kept = new TokenStore(process);
        // Some providers accept a refresh token once: two commands must not both use it.
        try (var _ = contexts.turn()) {
            Optional<Contexts.Context> known = contexts.find(context.name());
            if (known.isEmpty()) {
                return context; // it was removed, and does not come back by this
            }
            Contexts.Context now = kept.opened(known.get());
            if (!needsRenewal(now, process.clock().instant())) {
                return now;
            }
            String endpoint = now.setting("token_endpoint").orElse("");
            String client = now.setting("token_client").orElse("");
            String refresh = now.setting("refresh_token").orElse("");
            JsonNode answer = new ProviderCalls(now.setting("ca").map(Path::of))
                    .post(
                            endpoint,
                            Map.of("grant_type", "refresh_token", "refresh_token", refresh, "client_id", client));
            ProviderTokens next = of(answer, endpoint, client, process.clock());
            Contexts.Context renewed = next.in(now);
            renewed = next.refresh().isEmpty() ? renewed.with("refresh_token", refresh) : renewed;
            kept.keepRenewed(renewed, contexts);
            return renewed;
        } catch (ApiProblem | ServerUnreachable | UsageProblem e) {
            process.err()
                    .println("warning: the sign-in could not be renewed ("
                            + SafeText.line(String.valueOf(e.getMessage())) + "); sign in again: "
                            + SafeText.line(context.loginCommand()));
            return context;
        }
    }

    public static boolean needsRenewal(Contexts.Context context, Instant now) {
        Optional<String> until = context.setting("token_until");
        if (until.isEmpty() || context.setting("refresh_token").isEmpty()) {
            return false;
        }
        try {
            return !now.plusSeconds(SignedIn.EARLY_SECONDS).isBefore(Instant.parse(until.get()));
        } catch (DateTimeException e) {
            return true;
        }
    }
}
