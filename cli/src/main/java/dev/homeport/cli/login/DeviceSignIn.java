package dev.homeport.cli.login;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.SafeText;
import dev.homeport.cli.terminal.UsageProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Signs in at the identity provider with another device (RFC 8628): the provider gives a code, a person confirms it in a browser,
 * and the token endpoint is polled until then.
 */
public final class DeviceSignIn {
    private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";
    private static final long SLOWER = 5;
    private static final long LONGEST_INTERVAL = 300;
    private static final long LONGEST = 30 * 60;

    /** So many polls in a row may stay without a usable answer. */
    private static final int MOST_FAILURES = 4;

    private final ProcessEnvironment process;
    private final ProviderCalls provider;
    private final JsonNode device;
    private final Predicate<Duration> pause;

    /** @param device what the server says about it */
    public DeviceSignIn(ProcessEnvironment process, ProviderCalls provider, JsonNode device) {
        this(process, provider, device, Pause::of);
    }

    /** @param pause waits that long; false when it was interrupted */
    public DeviceSignIn(
            ProcessEnvironment process, ProviderCalls provider, JsonNode device, Predicate<Duration> pause) {
        this.process = process;
        this.provider = provider;
        this.device = device;
        this.pause = pause;
    }

    public ProviderTokens signIn() {
        String client = device.path("client_id").asString("");
        JsonNode begun = begun(client);
        tell(begun);
        Instant end = process.clock()
                .instant()
                .plusSeconds(Math.clamp(begun.path("expires_in").asLong(600), 0, LONGEST));
        String endpoint = device.path("token_endpoint").asString("");
        return ProviderTokens.of(polled(endpoint, client, begun, end), endpoint, client, process.clock());
    }

    private JsonNode begun(String client) {
        JsonNode begun;
        try {
            begun = provider.post(
                    device.path("device_authorization_endpoint").asString(""),
                    Map.of("client_id", client, "scope", device.path("scopes").asString("")));
        } catch (ApiProblem e) {
            throw refused(e, client);
        }
        if (begun.path("device_code").asString("").isEmpty()) {
            throw new UsageProblem("the identity provider gave no code to confirm: begin again, or use --token-stdin");
        }
        return begun;
    }

    private JsonNode polled(String endpoint, String client, JsonNode begun, Instant end) {
        Map<String, String> form = Map.of(
                "grant_type",
                GRANT,
                "client_id",
                client,
                "device_code",
                begun.path("device_code").asString(""));
        long interval = Math.clamp(begun.path("interval").asLong(SLOWER), 1, LONGEST_INTERVAL);
        int failures = 0;
        while (process.clock().instant().isBefore(end) && pause.test(Duration.ofSeconds(interval))) {
            try {
                return provider.post(endpoint, form);
            } catch (ApiProblem e) {
                failures = 0;
                switch (e.body().path("error").asString("")) {
                    case "authorization_pending" -> {}
                    case "slow_down" -> interval = Math.min(interval + SLOWER, LONGEST_INTERVAL);
                    case "access_denied" ->
                        throw new UsageProblem(
                                "the sign-in was refused in the browser: begin again, and confirm it there");
                    case "expired_token" -> throw tooLate();
                    default -> throw refused(e, client);
                }
            } catch (ServerUnreachable e) {
                if (++failures == MOST_FAILURES) {
                    throw e;
                }
                interval = Math.min(
                        2 * interval,
                        LONGEST_INTERVAL); // RFC 8628 requires fewer polls when a provider does not answer
            }
        }
        throw tooLate();
    }

    private static UsageProblem refused(ApiProblem problem, String client) {
        return new UsageProblem("the identity provider refused the sign-in of client " + client + ": "
                + problem.getMessage() + ". Begin again; if it is refused again, check the client at the provider.");
    }

    private static UsageProblem tooLate() {
        return new UsageProblem("the code was not confirmed in time: begin again");
    }

    private void tell(JsonNode begun) {
        String whole = begun.path("verification_uri_complete").asString("");
        String address = whole.isEmpty() ? begun.path("verification_uri").asString("") : whole;
        process.err()
                .println("open " + SafeText.line(address) + " in a browser and confirm the code "
                        + SafeText.line(begun.path("user_code").asString("?")));
        process.err().flush();
    }
}
