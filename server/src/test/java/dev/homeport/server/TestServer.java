package dev.homeport.server;

import dev.homeport.server.config.Address;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionTimeouts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A whole server on free ports, with its data in a folder of the test's. Stopping and starting again keeps the data. */
public final class TestServer implements AutoCloseable {
    private final Map<String, String> flags;
    private final ConnectionTimeouts timeouts;
    private RunningServer running;
    private final String adminToken;

    private TestServer(Map<String, String> flags, ConnectionTimeouts timeouts) {
        this.flags = flags;
        this.timeouts = timeouts;
        this.running = start();
        this.adminToken = running.firstToken().orElse("");
    }

    public static TestServer in(Path data) {
        return in(data, Map.of());
    }

    /** @param more flags such as {@code --freshness-ms} */
    public static TestServer in(Path data, Map<String, String> more) {
        return in(data, more, ConnectionTimeouts.STANDARD);
    }

    public static TestServer in(Path data, Map<String, String> more, ConnectionTimeouts timeouts) {
        Map<String, String> flags = new HashMap<>(Map.of(
                "--data", data.resolve("data").toString(),
                "--admin-listen", "127.0.0.1:0",
                "--poll-listen", "127.0.0.1:0"));
        flags.putAll(more);
        return new TestServer(flags, timeouts);
    }

    private RunningServer start() {
        return RunningServer.start(ServerSettings.of(SettingSources.read(flags, Map.of(), Optional.empty())), timeouts);
    }

    public void stop() {
        running.close();
    }

    /** Starts again after a stop, on other ports. */
    public void startAgain() {
        running = start();
    }

    public RunningServer running() {
        return running;
    }

    /** Open connections and the memory they hold. */
    public ConnectionLimits connections() {
        return running.connections();
    }

    public Path data() {
        return Path.of(flags.getOrDefault("--data", ""));
    }

    public String adminToken() {
        return adminToken;
    }

    /** The admin plane, with the first admin token. */
    public TestClient admin() {
        return admin(adminToken);
    }

    public TestClient admin(String token) {
        return new TestClient(base(running.admin()), token);
    }

    /** The poll plane. */
    public TestClient poll(String token) {
        return new TestClient(base(running.poll()), token);
    }

    private static String base(Optional<Address> address) {
        return "http://" + address.orElseThrow();
    }

    @Override
    public void close() {
        running.close();
    }
}
