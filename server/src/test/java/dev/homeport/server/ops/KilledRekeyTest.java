package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.change.Failpoint;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code admin rekey} that is killed: every token works afterwards, and it can be repeated. */
@OutsideIn
class KilledRekeyTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Failpoint.class,
            names = {"REKEY_WRITTEN", "REKEY_REPLACED"})
    void tokensGoOnWorking(Failpoint failpoint) throws Exception {
        try (TestServer server = TestServer.in(folder)) {
            server.admin().get("/api/v2/me").expect(200);
            server.stop();
            Path key = server.data().resolve("master.key");
            try (ServerProcess rekey = ServerProcess.run(
                    Map.of("JAVA_TOOL_OPTIONS", "-Dhomeport.failpoint=" + failpoint + ":1"),
                    "admin",
                    "rekey",
                    "--data",
                    server.data().toString())) {
                assertThat(rekey.awaitExit()).isEqualTo(Failpoint.EXIT_CODE);
            }
            assertThat(Files.readAllLines(key)).hasSize(failpoint == Failpoint.REKEY_WRITTEN ? 1 : 2);
            List<String> before = Files.readAllLines(key);
            server.startAgain();
            server.admin().get("/api/v2/me").expect(200);
            server.stop();
            try (ServerProcess again =
                    ServerProcess.run("admin", "rekey", "--data", server.data().toString())) {
                assertThat(again.awaitExit()).isZero();
            }
            assertThat(Files.readAllLines(key)).hasSize(before.size() + 1).containsAll(before);
            server.startAgain();
            server.admin().get("/api/v2/me").expect(200);
        }
    }
}
