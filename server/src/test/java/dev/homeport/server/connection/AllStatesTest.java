package dev.homeport.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestServer;
import dev.homeport.server.config.Address;
import dev.homeport.server.connection.ConnectionStatesTest.Leaving;
import dev.homeport.server.connection.ConnectionStatesTest.Setup;
import dev.homeport.server.connection.ConnectionStatesTest.State;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionTimeouts;
import dev.homeport.testing.OutsideIn;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections in every state at once, on a server that goes on and on one that stops. {@link WithoutEpollTest} runs it too. */
@OutsideIn
class AllStatesTest {
    /** Long enough for all connections to come into their states, short enough to wait for. */
    private static final ConnectionTimeouts SOME_SECONDS = new ConnectionTimeouts(
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            64 * 1024 * 1024);

    private static final int PAIRS = 8;
    private static final int ROUNDS = 4;
    private static final long GROWTH = 4L << 20;

    @TempDir
    private Path folder;

    /** One connection of each kind, closed on request. */
    private static final class Visitors {
        private final List<Thread> threads = new ArrayList<>();
        private final List<CountDownLatch> entered = new ArrayList<>();
        private final Queue<Client> clients = new ConcurrentLinkedQueue<>();
        private final CountDownLatch leave = new CountDownLatch(1);

        void send(Address address, State state, Leaving leaving) {
            CountDownLatch there = new CountDownLatch(1);
            entered.add(there);
            threads.add(Thread.ofVirtual().start(() -> visit(address, state, leaving, there)));
        }

        private void visit(Address address, State state, Leaving leaving, CountDownLatch there) {
            try (Client client = Client.connect(address, 4096)) {
                clients.add(client);
                try {
                    state.enter(client);
                } finally {
                    there.countDown();
                }
                leave.await();
                leaving.leave(client);
            } catch (IOException e) {
                there.countDown(); // the server has cut it, as it should
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void areThere() throws InterruptedException {
            for (CountDownLatch there : entered) {
                assertThat(there.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }

        /** A client that reads nothing may miss that the server has closed its side. */
        void close() throws IOException {
            for (Client client : clients) {
                client.close();
            }
        }

        void areGone() throws InterruptedException {
            for (Thread thread : threads) {
                assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
            }
        }
    }

    private static Visitors visit(TestServer server, Setup setup) {
        Visitors visitors = new Visitors();
        for (String plane : List.of("poll", "admin")) {
            Address address = ConnectionStatesTest.address(server, plane);
            for (State state : ConnectionStatesTest.states(setup).values()) {
                for (Leaving leaving : ConnectionStatesTest.leavings().values()) {
                    visitors.send(address, state, leaving);
                }
            }
        }
        return visitors;
    }

    @Test
    void theTransportIsTheOneThatIsAskedFor() {
        assertThat(Epoll.isAvailable()).isEqualTo(!Boolean.getBoolean("io.netty.transport.noNative"));
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void nothingStaysBehindOnAServerThatGoesOn(Setup setup) throws Exception {
        try (TestServer server = ConnectionStatesTest.start(setup, folder, SOME_SECONDS)) {
            Resources before = Resources.of(server);
            Visitors visitors = visit(server, setup);
            visitors.areThere();
            visitors.leave.countDown();
            visitors.areGone();
            before.areBack();
        }
    }

    /** A connection that leaked would keep at least its buffers: far more than is allowed here for each round. */
    @ParameterizedTest
    @EnumSource(Setup.class)
    void memoryDoesNotGrow(Setup setup) throws Exception {
        try (TestServer server = ConnectionStatesTest.start(setup, folder, SOME_SECONDS)) {
            long before = 0;
            for (int round = 0; round < ROUNDS; round++) {
                if (round == ROUNDS / 2) {
                    before = Resources.memory();
                }
                Visitors visitors = visit(server, setup);
                visitors.areThere();
                visitors.leave.countDown();
                visitors.areGone();
            }
            long allowed = before + GROWTH;
            Resources.await(
                    () -> Resources.memory() < allowed, () -> Resources.memory() + " bytes, allowed are " + allowed);
        }
    }

    @ParameterizedTest
    @EnumSource(Setup.class)
    void nothingStaysBehindOfAServerThatStops(Setup setup) throws Exception {
        long sockets = Resources.openSockets();
        Set<String> threads = eventLoops();
        TestServer server = ConnectionStatesTest.start(setup, folder, SOME_SECONDS);
        ConnectionLimits limits = server.connections();
        Visitors visitors = visit(server, setup);
        visitors.areThere();
        Thread closing = Thread.ofPlatform().start(server::close);
        visitors.leave.countDown();
        assertThat(closing.join(Duration.ofSeconds(60))).as("the server stops").isTrue();
        visitors.close();
        visitors.areGone();
        for (ConnectionLimits.Plane plane : limits.planes()) {
            Resources.await(() -> plane.open() == 0, () -> plane.open() + " connections on " + plane.name());
        }
        Resources.await(
                () -> limits.bytes().used() == 0 && limits.answers().used() == 0,
                () -> limits.bytes().used() + " and " + limits.answers().used() + " bytes are taken");
        Resources.await(
                () -> Resources.openSockets() <= sockets,
                () -> Resources.openSockets() + " sockets instead of " + sockets);
        Resources.await(() -> threads.containsAll(eventLoops()), () -> "event loops that go on: " + eventLoops());
    }

    /** A request that has begun is answered, also on a server that stops. */
    @Test
    void aPollThatHasBegunIsAnswered() throws Exception {
        // The usual timeouts, so that only the stop closes an idle connection.
        TestServer server = ConnectionStatesTest.start(Setup.PLAIN, folder, ConnectionTimeouts.STANDARD);
        Address poll = ConnectionStatesTest.address(server, "poll");
        ConnectionLimits.Plane plane = server.connections().planes().stream()
                .filter(one -> one.name().equals("poll"))
                .findFirst()
                .orElseThrow();
        String health = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
        // Each event loop drains for itself, so there is an idle connection beside each that has begun.
        List<Client> begun = new ArrayList<>();
        List<Client> idle = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            begun.add(Client.connect(poll).send(health.substring(0, 8)));
            idle.add(Client.connect(poll).send(health));
            assertThat(idle.getLast().answer()).startsWith("HTTP/1.1 200");
        }
        Resources.await(() -> plane.open() == 2 * PAIRS, () -> plane.open() + " connections");
        Thread closing = Thread.ofPlatform().start(server::close);
        for (Client client : idle) {
            assertThat(client.rest()).as("closed by the stop").isEmpty();
            client.close();
        }
        for (Client client : begun) {
            assertThat(client.send(health.substring(8)).rest()).startsWith("HTTP/1.1 200");
            client.close();
        }
        assertThat(closing.join(Duration.ofSeconds(60))).isTrue();
    }

    private static Set<String> eventLoops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("poll-")
                        || thread.getName().startsWith("vert.x-eventloop")
                        || thread.getName().startsWith("vert.x-acceptor"))
                .map(thread -> thread.getName() + "/" + thread.threadId())
                .collect(Collectors.toCollection(HashSet::new));
    }
}
