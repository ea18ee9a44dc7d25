package dev.homeport.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.sim.IdentityFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A demo whose folder is not as it was left says so, and how to start again, and is not shown as an empty one. */
@Timeout(60)
class BrokenDemoTest {
    @TempDir
    Path folder;

    @BeforeEach
    void aDemo() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        for (String file : new String[] {"clusters.jsonl", "admin.token", "data/homeport.db"}) {
            Files.createFile(folder.resolve(file));
        }
        Files.writeString(folder.resolve("demo.json"), "{\"clusters\": 200, \"poll\": 5}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clusters.jsonl", "admin.token", "data/homeport.db"})
    void whatIsMissingIsNamed(String file) throws IOException {
        Files.delete(folder.resolve(file));
        assertThat(refusal()).contains(folder.resolve(file) + " is missing", "--fresh");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{x", "[]", "{\"clusters\": 0, \"poll\": 5}"})
    void aSizeThatIsNoneIsNamed(String size) throws IOException {
        Files.writeString(folder.resolve("demo.json"), size);
        assertThat(refusal()).contains("demo.json is not as a demo writes it", "--fresh");
    }

    @Test
    void clustersOfAnotherFormAreNotTakenForClusters() throws IOException {
        Path file = Files.writeString(folder.resolve("clusters.jsonl"), "{\"name\": \"a\", \"token\": \"t\"}\n");
        assertThatThrownBy(() -> IdentityFile.read(file))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not a list of clusters");
    }

    private String refusal() throws IOException {
        StringWriter said = new StringWriter();
        int port = twoFreePorts();
        int exit = new CommandLine(new DemoCommand())
                .setErr(new PrintWriter(said, true))
                .setOut(new PrintWriter(said, true))
                .execute("--data", folder.toString(), "--port", Integer.toString(port));
        assertThat(exit).as(said.toString()).isEqualTo(1);
        assertThat(said.toString()).doesNotContain("Exception");
        return said.toString();
    }

    private static int twoFreePorts() throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        while (true) {
            try (ServerSocket second = new ServerSocket(0, 1, here);
                    ServerSocket first = new ServerSocket(second.getLocalPort() - 1, 1, here)) {
                return first.getLocalPort();
            } catch (BindException e) {
                // another program has the port before it
            }
        }
    }
}
