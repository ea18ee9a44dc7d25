package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first ten minutes with the demo. What the terminal showed is in {@code first-ten-minutes.txt}, with times, names of
 * folders and the like replaced; with {@code -Dhomeport.record=FILE} it is written again.
 */
@Tag("slow")
class FirstTenMinutesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int FAILING = 14;
    private static final Pattern LATE = Pattern.compile("^not_applied +warning ");

    @TempDir
    Path folder;

    private final StringBuilder transcript = new StringBuilder();
    private Process demo;
    private int port;

    @AfterEach
    void stop() {
        if (demo != null) {
            demo.destroyForcibly();
        }
    }

    @Test
    void everythingOfTheStoryHappens() throws Exception {
        port = freePorts();
        List<String> welcome = start();
        assertThat(welcome).anyMatch(line -> line.startsWith("making 200 clusters"));
        record("demo", String.join("\n", welcome) + "\n");
        awaitState("in-sync", 184);
        awaitState("failing", FAILING);

        shown("get", "clusters", "--filter", "state:failing");
        shown("get", "clusters", "--filter", "state:silent");
        awaitLate(FAILING);
        shown("findings");
        shown("explain", "cluster/retail-edge-prod-aps1-01", "ingress-nginx", "--field", "patches");
        shown("audit", "--since", "52h");

        shown("hotfix", "cert-manager", "--oci-tag", "v1.19.1-1", "-l", "env=dev", "--reason", "INC-9001", "--yes");
        awaitState("in-sync", 184);
        record("demo break 5%", demo("break", "5%"));
        awaitState("failing", FAILING + 10);
        shown("revert", "ch-112", "--reason", "EDGE-412 does not work with our pod security", "--yes");
        awaitState("failing", 10);
        record("demo heal", demo("heal"));
        awaitState("in-sync", 198);
        shown("audit", "--since", "10m");
        shown(
                "get",
                "clusters",
                "-o",
                "json",
                "--jq",
                "[.[].status.state] | group_by(.) | map({(.[0]): length}) | add");

        end();
        String elsewhere = Files.move(folder.resolve("share/homeport/demo"), folder.resolve("elsewhere"))
                .toString();
        // As after a crash, when the number is another process's by now.
        Files.writeString(
                Path.of(elsewhere, "running"),
                Long.toString(ProcessHandle.current().pid()));
        assertThat(start("--data", elsewhere))
                .noneMatch(line -> line.startsWith("making"))
                .anyMatch(line -> line.equals("ready"));
        awaitState("in-sync", 198);
        assertThat(demoFails("--data", elsewhere, "--clusters", "300")).contains("runs already, as process");
        assertThat(demoFails()).contains("a demo runs in " + elsewhere, "--port");
        assertThat(demoFails("--data", folder.toString(), "heal"))
                .contains("one does in " + elsewhere, "leave out --data");
        assertThat(demo("heal")).as("it is found where it is").contains("nothing was broken");
        besideAnother();
        end();
        assertThat(demoFails("--data", elsewhere, "--clusters", "300")).contains("has 200 clusters", "--fresh");
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThat(demoFails()).contains("something else listens on port " + other.getLocalPort(), "--port");
        }
        assertThat(demoFails("break", "5%")).contains("no demo runs here");
        assertThat(demoFails("--data", elsewhere + "/lock")).contains("cannot be kept in", "--data");
        compare();
    }

    /** Each of two demos has a context of its own, and does what it alone is asked. */
    private void besideAnother() throws Exception {
        Process first = demo;
        int firstPort = port;
        port = freePorts();
        String second = "demo-" + port;
        Path data = folder.resolve("second");
        try {
            assertThat(start("--data", data.toString(), "--clusters", "20"))
                    .anyMatch(line -> line.contains("context " + second + " written"))
                    .anyMatch(line -> line.contains("homeport --context " + second + " findings"))
                    .anyMatch(line -> line.contains("homeport demo break 5% --context " + second));
            assertThat(run("get", "clusters", "-o", "name").lines()).hasSize(200);
            assertThat(run("--context", second, "get", "clusters", "-o", "name").lines())
                    .hasSize(20);
            assertThat(demo("break", "5%", "--context", second)).startsWith("1 cluster (");
            assertThat(demo("heal")).contains("nothing was broken");
            assertThat(demo("heal", "--context", second)).startsWith("1 cluster (");
            assertThat(demoFails("heal", "--context", "demo-1")).contains("that run: demo, " + second);
            demo.toHandle().destroy();
            assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            demo.destroyForcibly();
            demo = first;
            port = firstPort;
        }
    }

    private void compare() throws IOException {
        String recorded = System.getProperty("homeport.record", "");
        if (!recorded.isEmpty()) {
            Files.writeString(Path.of(recorded), transcript);
        }
        try (var in = FirstTenMinutesTest.class.getResourceAsStream("first-ten-minutes.txt")) {
            assertThat(transcript.toString()).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The first of two. */
    private static int freePorts() throws IOException {
        while (true) {
            InetAddress here = InetAddress.ofLiteral("127.0.0.1");
            try (ServerSocket second = new ServerSocket(0, 1, here);
                    ServerSocket first = new ServerSocket(second.getLocalPort() - 1, 1, here)) {
                return first.getLocalPort();
            } catch (BindException e) {
                // taken: another pair
            }
        }
    }

    private ProcessBuilder process(String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.homeport.demo.Main",
                "--port",
                Integer.toString(port)));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        builder.environment().put("XDG_DATA_HOME", folder.resolve("share").toString());
        return builder;
    }

    /** Returns what it says until it is ready. */
    private List<String> start(String... more) throws IOException {
        demo = process(more).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<String> lines = new ArrayList<>();
        BufferedReader out = demo.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (line.equals("ready")) {
                return lines;
            }
        }
        throw new AssertionError("the demo did not start: " + lines);
    }

    /** As Ctrl-C does: it leaves nothing behind and complains about nothing. */
    private void end() throws Exception {
        demo.toHandle().destroy(); // and not the process, which would close its output with it
        assertThat(demo.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        assertThat(demo.exitValue()).isZero();
        assertThat(demo.inputReader(StandardCharsets.UTF_8).lines()).isEmpty();
        Path log = folder.resolve("share/homeport/demo/demo.log");
        assertThat(Files.readString(Files.exists(log) ? log : folder.resolve("elsewhere/demo.log")))
                .doesNotContain("Exception", "ERROR");
    }

    private String demo(String... words) throws Exception {
        Process process = process(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private String demoFails(String... words) throws Exception {
        Process process = process(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isNotZero();
        assertThat(said).doesNotContain("Exception");
        return said;
    }

    private void awaitState(String state, int clusters) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        long found = -1;
        while (found != clusters) {
            assertThat(System.nanoTime()).as("%d clusters are %s", found, state).isLessThan(until);
            Thread.sleep(300);
            found = run("get", "clusters", "--filter", "state:" + state, "-o", "name")
                    .lines()
                    .count();
        }
    }

    /** For three polls it is only natural that something is not applied yet, and afterwards it is a warning. */
    private void awaitLate(int clusters) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        long late = -1;
        while (late != clusters) {
            assertThat(System.nanoTime()).as("%d are late", late).isLessThan(until);
            Thread.sleep(300);
            late = run("findings").lines().filter(LATE.asPredicate()).count();
        }
    }

    private void shown(String... words) {
        record(String.join(" ", words), run(words));
    }

    private String run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ProcessEnvironment process = new ProcessEnvironment(
                Map.of(
                        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
                        "XDG_CACHE_HOME", folder.resolve("cache").toString()),
                folder,
                folder,
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                ProcessEnvironment.Terminals.NONE,
                InstantSource.system());
        int exit = Main.run(process, words);
        assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private void record(String words, String said) {
        String text = said.replace(folder.toString(), "~")
                .replace(Integer.toString(port + 1), "8081")
                .replace(Integer.toString(port), "8080")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME")
                .replaceAll("\\b[0-9]+(ms|s|m|h|d)\\b", "AGE")
                .replaceAll("clusters \\([^)]*more\\)", "clusters (…)")
                .replaceAll("(?m) {2,}", "  ")
                .replaceAll("(?m) +$", "");
        transcript.append("$ homeport ").append(words).append('\n').append(text).append('\n');
    }
}
