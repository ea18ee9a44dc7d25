package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.homeport.api.ServerUnreachable;
import dev.homeport.cli.login.DeviceSignIn;
import dev.homeport.cli.login.ProviderCalls;
import dev.homeport.cli.login.ProviderTokens;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.UsageProblem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** How the command line polls a provider for the token of a device sign-in (RFC 8628). The clock moves when it waits. */
class DeviceSignInTest {
    private static final String TOKEN = "{\"access_token\":\"abc\",\"refresh_token\":\"def\",\"expires_in\":300}";
    private static final Reply BEGUN = new Reply(200, """
            {"device_code":"D","user_code":"U-1","verification_uri":"https://idp.example.com/device",
             "expires_in":600,"interval":5}""");

    private record Reply(int status, String body) {
        static Reply error(String error) {
            return new Reply(400, "{\"error\":\"" + error + "\",\"error_description\":\"because of " + error + "\"}");
        }
    }

    @TempDir
    Path folder;

    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<Long> waits = new ArrayList<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private HttpServer provider;

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/", this::answer);
        provider.start();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        Reply reply = replies.size() == 1 ? replies.getFirst() : replies.removeFirst();
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The last reply is given to all polls that come after it. */
    private ProviderTokens signIn(Reply... given) {
        replies.addAll(List.of(given));
        String base = "http://127.0.0.1:" + provider.getAddress().getPort();
        ObjectNode device = JsonMapper.shared()
                .createObjectNode()
                .put("client_id", "homeport-cli")
                .put("scopes", "openid")
                .put("token_endpoint", base + "/token")
                .put("device_authorization_endpoint", base + "/device");
        ProcessEnvironment process = new ProcessEnvironment(
                Map.of(),
                folder,
                folder,
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                ProcessEnvironment.Terminals.NONE,
                () -> now);
        return new DeviceSignIn(process, new ProviderCalls(Optional.empty()), device, this::waited).signIn();
    }

    private boolean waited(Duration duration) {
        waits.add(duration.toSeconds());
        now = now.plus(duration);
        return true;
    }

    @Test
    void itPollsUntilTheCodeIsConfirmedAndSlowerWhenTheProviderSaysSo() {
        ProviderTokens tokens = signIn(
                BEGUN,
                Reply.error("authorization_pending"),
                Reply.error("slow_down"),
                Reply.error("authorization_pending"),
                new Reply(200, TOKEN));
        assertThat(tokens.access()).isEqualTo("abc");
        assertThat(tokens.refresh()).isEqualTo("def");
        assertThat(waits).containsExactly(5L, 5L, 10L, 10L);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("open https://idp.example.com/device")
                .contains("U-1");
    }

    @Test
    void aProviderThatFailsForAMomentIsAskedAgainAndLessOften() {
        Reply away = new Reply(503, "<html>later</html>");
        ProviderTokens tokens =
                signIn(BEGUN, away, away, away, Reply.error("authorization_pending"), away, new Reply(200, TOKEN));
        assertThat(tokens.access()).isEqualTo("abc");
        assertThat(waits).containsExactly(5L, 10L, 20L, 40L, 40L, 80L);
    }

    @Test
    void aProviderThatIsAwayIsReported() {
        assertThatThrownBy(() -> signIn(BEGUN, new Reply(503, "<html>away</html>")))
                .isInstanceOf(ServerUnreachable.class)
                .hasMessageContaining("503");
        assertThat(waits).hasSize(4);
    }

    @Test
    void whatTheProviderRefusesIsShown() {
        assertThatThrownBy(() -> signIn(BEGUN, Reply.error("invalid_grant")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("homeport-cli")
                .hasMessageContaining("answered 400: invalid_grant: because of invalid_grant");
        replies.clear();
        assertThatThrownBy(() -> signIn(new Reply(
                        401,
                        "{\"error\":\"invalid_client\",\"error_description\":\"Invalid client or Invalid client"
                                + " credentials\"}")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("answered 401: invalid_client: Invalid client or Invalid client credentials");
        replies.clear();
        assertThatThrownBy(() -> signIn(new Reply(200, "{}")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("no code");
    }

    @Test
    void aRefusedOrExpiredCodeEndsIt() {
        assertThatThrownBy(() -> signIn(BEGUN, Reply.error("access_denied")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("refused in the browser");
        replies.clear();
        assertThatThrownBy(() -> signIn(BEGUN, Reply.error("expired_token")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("not confirmed in time");
        replies.clear();
        waits.clear();
        assertThatThrownBy(() -> signIn(BEGUN, Reply.error("authorization_pending")))
                .isInstanceOf(UsageProblem.class)
                .hasMessageContaining("not confirmed in time");
        assertThat(waits).as("until expires_in has passed").hasSize(120);
    }
}
