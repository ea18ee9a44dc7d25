package dev.homeport.server.admin;

import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One server for all tests of a class; each test has clusters and components of its own. */
@OutsideIn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AdminTest {
    protected Fleet fleet;

    @BeforeAll
    void start(@TempDir Path directory) {
        fleet = new Fleet(TestServer.in(directory));
    }

    @AfterAll
    void stop() {
        fleet.server.close();
    }
}
