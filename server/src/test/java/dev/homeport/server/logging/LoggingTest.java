package dev.homeport.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.node.ObjectNode;

class LoggingTest {
    private static final String TOKEN = "hpp_tabc123_0123456789abcdefghijABCDEFGHIJ0123456789abcXYZDEF";
    private static final String SETTING = "the-fleet-wide-secret";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        MDC.clear();
        Logging.configure(Logging.Form.TEXT, List.of(), System.err);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void plantedSecretsDoNotComeOut(Logging.Form form) {
        Logging.configure(form, List.of(SETTING), out);
        MDC.put("request", TOKEN);
        LoggerFactory.getLogger("test")
                .atError()
                .addKeyValue("header", "Authorization: Bearer " + SETTING)
                .setCause(new IllegalStateException("failed with " + TOKEN, new RuntimeException("pw " + SETTING)))
                .log("token {} and {\"authorization\":\"Basic dXNlcjpwYXNzd29yZA==\"} and Bearer abcdefgh", TOKEN);
        assertThat(text())
                .contains("hpp_tabc123_")
                .contains("(redacted)")
                .doesNotContain("0123456789abc")
                .doesNotContain("dXNlcjpwYXNzd29yZA")
                .doesNotContain("abcdefgh")
                .doesNotContain(SETTING);
    }

    @Test
    void requestsAreOneJsonLineEachWithoutSecrets(@TempDir Path folder) {
        Logging.configure(Logging.Form.JSON, List.of(SETTING), out);
        try (TestServer server = TestServer.in(folder, Map.of("--auth-token", SETTING, "--mode", "crud"))) {
            TestClient admin = server.admin();
            admin.send("GET", "/clusters", "", Map.of("X-Request-Id", "trace-42"))
                    .expect(200);
            server.admin(TOKEN).get("/clusters").expect(401);
            admin.post("/namespaces", "{\"id\": \"x\", \"labels\": {\"a\": \"" + TOKEN + "\"}}");
            admin.get("/" + TOKEN).expect(404);
            admin.send("GET", "/clusters", "", Map.of("X-Request-Id", TOKEN.substring(0, 60)));
            assertThat(text()).doesNotContain(server.adminToken()).doesNotContain(SETTING);
            assertThat(text()).doesNotContain(TOKEN.substring(12, 40));
        }
        List<ObjectNode> lines = text().lines().map(StrictJson::read).toList();
        ObjectNode access = lines.stream()
                .filter(line -> line.toString().contains("trace-42"))
                .findFirst()
                .orElseThrow();
        assertThat(access.get("level").stringValue()).isEqualTo("INFO");
        assertThat(access.get("formattedMessage").stringValue())
                .contains("GET root_clusters_list 200")
                .contains("person:admin");
        assertThat(access.get("kvpList").toString())
                .contains("root_clusters_list")
                .contains("\"status\":\"200\"")
                .contains("trace-42");
    }
}
