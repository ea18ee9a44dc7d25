package dev.homeport.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which URL is asked, and what goes with it. */
class ServerAddressTest {
    private static ServerAddress at(URI server, List<String> trace) {
        return new ServerAddress(server, Optional.of("secret-token"), Optional.empty(), trace::add);
    }

    @Test
    void aPathIsAppendedToTheBaseAsItIs() {
        for (String base : List.of("", "/", "/homeport", "/homeport/")) {
            try (RawServer server = RawServer.saying("200 OK", "application/json", "{}")) {
                HomeportClient client = new HomeportClient(at(URI.create(server.address() + base), new ArrayList<>()));
                String path = "/api/v2/clusters?filter=id%3D%22a%20b%22&page_size=2";
                client.get(path);
                client.send("POST", path, Map.of(), Optional.empty());
                String prefix = base.startsWith("/homeport") ? "/homeport" : "";
                assertThat(server.requests())
                        .extracting(request -> request.lines().findFirst().orElseThrow())
                        .containsExactly("GET " + prefix + path + " HTTP/1.1", "POST " + prefix + path + " HTTP/1.1");
            }
        }
    }

    @Test
    void theTokenGoesToTheServerAndNowhereElse() {
        List<String> trace = new ArrayList<>();
        try (RawServer server = RawServer.saying("200 OK", "application/json", "{}")) {
            ServerAddress address = at(server.address(), trace);
            new HomeportClient(address).get("/a");
            new HomeportClient(address).send("PUT", "/b", Map.of("If-Match", "\"1-2\""), Optional.empty());
            new HomeportClient(address.withoutToken()).get("/c");
            List<String> requests = server.requests();
            assertThat(requests.get(0)).contains("Authorization: Bearer secret-token\r\n");
            assertThat(requests.get(1))
                    .contains("Authorization: Bearer secret-token\r\n")
                    .contains("If-Match: \"1-2\"\r\n");
            assertThat(requests.get(2)).doesNotContainIgnoringCase("authorization");
        }
        assertThat(trace).containsExactly("GET /a 200", "PUT /b 200", "GET /c 200");
    }

    /** A token may be renewed between two requests. */
    @Test
    void theTokenIsAskedForWithEachRequest() {
        List<String> tokens = new ArrayList<>(List.of("first", "second"));
        try (RawServer server = RawServer.saying("200 OK", "application/json", "{}")) {
            HomeportClient client = new HomeportClient(new ServerAddress(
                    server.address(),
                    () -> Optional.of(tokens.removeFirst()),
                    TlsFiles.NONE,
                    line -> {},
                    versions -> {},
                    Optional.empty()));
            client.get("/a");
            client.get("/b");
            assertThat(server.requests().get(0)).contains("Bearer first\r\n");
            assertThat(server.requests().get(1)).contains("Bearer second\r\n");
        }
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() {
        URI closed;
        try (RawServer server = RawServer.saying("200 OK", "application/json", "{}")) {
            closed = server.address();
        }
        HomeportClient client = new HomeportClient(at(closed, new ArrayList<>()));
        assertThatThrownBy(() -> client.get("/a"))
                .isInstanceOf(ServerUnreachable.class)
                .hasMessageStartingWith(closed + " does not answer");
        assertThatThrownBy(() -> client.send("POST", "/a", Map.of(), Optional.empty()))
                .isInstanceOf(ServerUnreachable.class);
    }

    @Test
    void theVersionsThatTheServerNamesAreHeard() {
        List<CliVersions> heard = new ArrayList<>();
        try (RawServer server = new RawServer((request, connection, out) -> out.write(("HTTP/1.1 200 OK\r\n"
                        + CliVersions.HEADER + ": >=0.4 <0.7\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
                .getBytes(StandardCharsets.US_ASCII)))) {
            HomeportClient client = new HomeportClient(new ServerAddress(
                    server.address(), Optional::empty, TlsFiles.NONE, line -> {}, heard::add, Optional.empty()));
            client.get("/a");
            client.send("POST", "/a", Map.of(), Optional.empty());
        }
        assertThat(heard).containsExactly(new CliVersions("0.4", "0.7"), new CliVersions("0.4", "0.7"));
        assertThat(heard.getFirst().placeOf("0.3.9")).contains(CliVersions.Place.OLDER);
        assertThat(heard.getFirst().placeOf("0.4.0-SNAPSHOT")).contains(CliVersions.Place.SUPPORTED);
        assertThat(heard.getFirst().placeOf("0.7")).contains(CliVersions.Place.NEWER);
        assertThat(heard.getFirst().placeOf("unknown")).isEmpty();
        assertThat(CliVersions.read(">=x <1")).isEmpty();
    }
}
