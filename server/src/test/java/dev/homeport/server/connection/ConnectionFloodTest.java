package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.testing.OutsideIn;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More connections, and larger requests, than a server has room for. */
@OutsideIn
class ConnectionFloodTest {
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String EVENT = "POST /api/v2/flux/clusters/a.example.com/events HTTP/1.1\r\nHost: x\r\n";

    @TempDir
    Path folder;

    private static Address poll(TestServer server) {
        return server.running().poll().orElseThrow();
    }

    private static ConnectionLimits.Plane plane(TestServer server) {
        return server.connections().planes().stream()
                .filter(plane -> plane.name().equals("poll"))
                .findFirst()
                .orElseThrow();
    }

    private static void closeAll(List<Client> clients) throws IOException {
        for (Client client : clients) {
            client.close();
        }
    }

    private static String finish(Client client) {
        try {
            client.finish();
        } catch (IOException e) {
            return ""; // cut
        }
        return client.rest();
    }

    /** In two parts, so that it is not answered while it is accepted. */
    private static String ask(Address address) throws IOException {
        try (Client client = Client.connect(address)) {
            client.send(HEALTH.substring(0, 5));
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            return client.send(HEALTH.substring(5)).answer();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HEALTH, "GET /hea"})
    void honestPollsGetThroughWhileOthersHoldAllConnections(String held) throws Exception {
        List<Client> clients = new ArrayList<>();
        try (TestServer server =
                TestServer.in(folder, Map.of("--max-connections", "40", "--max-connections-per-address", "1000"))) {
            assertThat(plane(server).limit()).isEqualTo(30);
            for (int i = 0; i < 90; i++) {
                clients.add(Client.connect(poll(server)).send(held));
            }
            Resources.await(
                    () -> plane(server).evicted() >= 40, () -> plane(server).evicted() + " evicted");
            for (int i = 0; i < 20; i++) {
                assertThat(ask(poll(server))).startsWith("HTTP/1.1 200");
            }
            Resources.await(
                    () -> plane(server).open() <= 30, () -> plane(server).open() + " open");
            String findings = server.admin()
                    .get("/api/v2/findings?kind=connection_limit_reached")
                    .expect(200)
                    .text();
            assertThat(findings).contains("poll/connections").contains("limit of 30 connections");
            assertThat(server.admin().get("/metrics").expect(200).text())
                    .contains("homeport_connections_limit{plane=\"poll\"} 30.0")
                    .containsPattern("homeport_connections_evicted_total\\{plane=\"poll\"\\} [1-9]");
            closeAll(clients);
            Resources.await(() -> plane(server).open() == 0, () -> plane(server).open() + " open");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HEALTH, "GET /hea", ""})
    void peopleGetThroughWhileOthersHoldAllConnectionsOfTheAdminPlane(String held) throws Exception {
        List<Client> clients = new ArrayList<>();
        try (TestServer server =
                TestServer.in(folder, Map.of("--max-connections", "40", "--max-connections-per-address", "1000"))) {
            Address admin = server.running().admin().orElseThrow();
            ConnectionLimits.Plane plane = server.connections().planes().stream()
                    .filter(one -> one.name().equals("admin"))
                    .findFirst()
                    .orElseThrow();
            assertThat(plane.limit()).isEqualTo(10);
            for (int i = 0; i < 40; i++) {
                clients.add(Client.connect(admin).send(held));
            }
            Resources.await(
                    () -> plane.evicted() + plane.refused(ConnectionLimits.Reason.CONNECTIONS) >= 30,
                    () -> plane.evicted() + " evicted");
            Resources.await(() -> plane.open() <= 10, () -> plane.open() + " open");
            server.admin().get("/clusters").expect(200);
            assertThat(ask(admin)).startsWith("HTTP/1.1 200");
            assertThat(plane.evicted()).isPositive();
            closeAll(clients);
        }
    }

    @Test
    void oneAddressCannotTakeAll() throws Exception {
        List<Client> clients = new ArrayList<>();
        try (TestServer server = TestServer.in(folder, Map.of("--max-connections-per-address", "5"))) {
            for (int i = 0; i < 5; i++) {
                clients.add(Client.connect(poll(server)).send(HEALTH));
                assertThat(clients.getLast().answer()).startsWith("HTTP/1.1 200");
            }
            try (Client sixth = Client.connect(poll(server)).send("GET /hea")) {
                assertThat(sixth.rest()).isEmpty();
            }
            // Whole requests are answered while they are accepted, and take no place.
            try (Client whole =
                    Client.connect(poll(server)).send(HEALTH.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))) {
                assertThat(whole.rest()).startsWith("HTTP/1.1 200");
            }
            assertThat(plane(server).refused(ConnectionLimits.Reason.ADDRESS)).isEqualTo(1);
            closeAll(clients);
            Resources.await(() -> plane(server).open() == 0, () -> plane(server).open() + " open");
            assertThat(ask(poll(server))).startsWith("HTTP/1.1 200");
            assertThat(server.admin()
                            .get("/api/v2/findings?kind=connection_limit_reached")
                            .expect(200)
                            .text())
                    .contains("127.0.0.1 reached the limit of 5 connections");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 250000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3D090\r\n"})
    void bodiesTakeNoMoreMemoryThanTheyMay(String length) throws Exception {
        List<Client> clients = new ArrayList<>();
        try (TestServer server = TestServer.in(folder, Map.of("--request-memory-mib", "1"))) {
            for (int i = 0; i < 100; i++) {
                clients.add(Client.connect(poll(server)).send(EVENT + length));
            }
            // Announced and not sent: that takes next to nothing.
            Resources.await(
                    () -> plane(server).open() == 100, () -> plane(server).open() + " open");
            assertThat(server.connections().bytes().refused()).isZero();
            for (Client client : clients) {
                try {
                    client.send("x".repeat(100_000));
                } catch (IOException e) {
                    // refused while it was sending
                }
            }
            Resources.await(
                    () -> server.connections().bytes().refused() >= 90,
                    () -> server.connections().bytes().refused() + " refused");
            List<String> answers = new ArrayList<>();
            for (Client client : clients) {
                answers.add(finish(client));
            }
            assertThat(answers)
                    .anySatisfy(answer ->
                            assertThat(answer).startsWith("HTTP/1.1 503").contains("memory limit"));
            assertThat(ask(poll(server))).startsWith("HTTP/1.1 200");
            closeAll(clients);
            Resources.await(
                    () -> server.connections().bytes().used() == 0,
                    () -> server.connections().bytes().used() + " bytes taken");
            assertThat(server.admin().get("/metrics").expect(200).text())
                    .contains("homeport_bytes_in_flight{kind=\"requests\"} 0.0")
                    .containsPattern("homeport_bytes_refused_total\\{kind=\"requests\"\\} [1-9]");
            assertThat(server.admin().get("/api/v2/findings").expect(200).text())
                    .contains("request_memory_exhausted");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health HTTP/1.1\r\nHost: x\r\nX-Some: ",
                "GET / HTTP/1.1\n\n",
                "POST /api/v2/flux/clusters/a.example.com/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
                "POST /api/v2/flux/clusters/a.example.com/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1"
            })
    void resetConnectionsLeaveNoBuffers(String begun) throws Exception {
        try (TestServer server = TestServer.in(folder)) {
            long before = active();
            for (int i = 0; i < 3_000; i++) {
                Client.connect(poll(server)).send(begun).reset();
            }
            Resources.await(() -> plane(server).open() == 0, () -> plane(server).open() + " open");
            // Each event loop keeps some hundred buffers for itself; leaks would be one for each connection.
            Resources.await(() -> active() - before < 1_500, () -> active() - before + " buffers more");
        }
    }

    private static long active() {
        var metric = PooledByteBufAllocator.DEFAULT.metric();
        return Stream.concat(metric.directArenas().stream(), metric.heapArenas().stream())
                .mapToLong(PoolArenaMetric::numActiveAllocations)
                .sum();
    }
}
