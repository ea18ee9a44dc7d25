package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.TokenText;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guesses are slowed down, by address and by token id; a caller with the right token never is. */
@OutsideIn
class BruteForceTest {
    private static final int TRIES = 80;
    private static final String POLLED = "/api/v2/flux/clusters/mine.example.com/namespaces";

    private TestServer server;
    private String honest = "";
    private String cluster = "";

    @BeforeEach
    void start(@TempDir Path folder) {
        server = TestServer.in(folder, Map.of("--trusted-proxies", "127.0.0.0/8"));
        Fleet fleet = new Fleet(server);
        fleet.cluster("mine", "dev", "{\"cluster_dns\": \"mine.example.com\"}");
        honest = fleet.token("{\"kind\": \"person\", \"subject\": \"honest\", \"access\": \"reader\"}");
        cluster = fleet.token("{\"kind\": \"cluster\", \"subject\": \"mine\"}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static TestClient.Answer from(TestClient client, String address, String path) {
        return client.send("GET", path, "", Map.of("X-Forwarded-For", address));
    }

    private TestClient.Answer admin(String token, String address) {
        return from(server.admin(token), address, "/api/v2/me");
    }

    private TestClient.Answer poll(String token, String address) {
        return from(server.poll(token), address, POLLED);
    }

    /** How many of these were slowed down; none gets anything else than a refusal. */
    private static int slowed(IntFunction<TestClient.Answer> guess) {
        int slowed = 0;
        for (int i = 0; i < TRIES; i++) {
            TestClient.Answer answer = guess.apply(i);
            assertThat(answer.status()).isIn(401, 429);
            if (answer.status() == 429) {
                assertThat(answer.header("Retry-After")).isEqualTo("60");
                slowed++;
            }
        }
        return slowed;
    }

    /** A token of a name that exists, with another secret. */
    private static String guess(String known, int number) {
        TokenText token = TokenText.parse(known).orElseThrow();
        byte[] secret = new byte[TokenText.SECRET_BYTES];
        secret[0] = (byte) number;
        String other = TokenText.mint(token.kind(), new byte[TokenText.ID_BYTES], secret)
                .secret();
        return new TokenText(token.kind(), token.id(), other).reveal();
    }

    @Test
    void guessesOfOneAddressAreSlowedAndItsHonestNeighboursAreNot() {
        String nat = "203.0.113.7";
        assertThat(slowed(i -> admin("hpp_guess_" + i, nat))).isGreaterThan(20);
        assertThat(slowed(i -> poll("hpc_guess_" + i, nat)))
                .as("both planes count together")
                .isGreaterThan(70);
        for (int i = 0; i < 10; i++) {
            admin(honest, nat).expect(200);
            poll(cluster, nat).expect(200);
        }
        admin("hpp_guess_x", "203.0.113.8").expect(401);
        admin(honest, "203.0.113.8").expect(200);
    }

    @Test
    void guessesOfOneNetworkAreThoseOfOneGuesser() {
        assertThat(slowed(i -> admin("hpp_guess_" + i, "2001:db8:0:1::" + Integer.toHexString(i + 1))))
                .isGreaterThan(20);
        admin("hpp_guess_x", "2001:db8:0:2::1").expect(401);
    }

    @Test
    void guessesOfOneTokenFromEverywhereAreSlowedAndItsHolderIsNot() {
        assertThat(slowed(i -> admin(guess(honest, i), "198.51.100." + i))).isGreaterThan(20);
        admin(honest, "198.51.100.1").expect(200);
        assertThat(slowed(i -> poll(guess(cluster, i), "192.0.2." + i))).isGreaterThan(20);
        poll(cluster, "192.0.2.1").expect(200);
        poll(cluster, "192.0.2.200").expect(200);
    }
}
