package dev.homeport.cli;

import dev.homeport.api.ApiProblem;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Signing in at the identity provider with another device (RFC 8628): the provider gives a code, somebody who has a browser
 * enters it there, and meanwhile we ask whether he has.
 */
final class DeviceSignIn {
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
    private static final long SLOWER = 5;
    private static final long LONGEST = 30 * 60;

    private final Surroundings surroundings;
    private final ProviderCalls provider;
    private final JsonNode device;

    /** @param device what the server says about it */
    DeviceSignIn(Surroundings surroundings, ProviderCalls provider, JsonNode device) {
        this.surroundings = surroundings;
        this.provider = provider;
        this.device = device;
    }

    ProviderTokens signIn() {
        String client = device.path("client_id").asString("");
        String endpoint = device.path("token_endpoint").asString("");
        JsonNode begun = provider.post(
                device.path("device_authorization_endpoint").asString(""),
                Map.of("client_id", client, "scope", device.path("scopes").asString("")));
        tell(begun);
        Instant now = surroundings.clock().instant();
        Instant end = now.plusSeconds(Math.min(LONGEST, begun.path("expires_in").asLong(600)));
        long interval = Math.max(1, begun.path("interval").asLong(SLOWER));
        Map<String, String> question = Map.of(
                "grant_type",
                GRANT,
                "client_id",
                client,
                "device_code",
                begun.path("device_code").asString(""));
        while (surroundings.clock().instant().isBefore(end) && Pause.of(Duration.ofSeconds(interval))) {
            try {
                return ProviderTokens.of(provider.post(endpoint, question), endpoint, client, surroundings.clock());
            } catch (ApiProblem e) {
                switch (e.body().path("error").asString("")) {
                    case "authorization_pending" -> {}
                    case "slow_down" -> interval += SLOWER;
                    case "access_denied" ->
                        throw new UsageProblem(
                                "the sign-in was refused in the browser: begin again, and confirm it there");
                    case "expired_token" -> throw tooLate();
                    default -> throw e;
                }
            }
        }
        throw tooLate();
    }

    private static UsageProblem tooLate() {
        return new UsageProblem("nobody entered the code in time: begin again");
    }

    private void tell(JsonNode begun) {
        String whole = begun.path("verification_uri_complete").asString("");
        String address = whole.isEmpty() ? begun.path("verification_uri").asString("") : whole;
        surroundings
                .err()
                .println("open " + SafeText.line(address) + " in a browser and confirm the code "
                        + SafeText.line(begun.path("user_code").asString("?")));
        surroundings.err().flush();
    }
}
