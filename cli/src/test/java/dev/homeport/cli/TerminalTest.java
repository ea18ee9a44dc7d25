package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own, with real pipes, a real terminal and real signals. */
class TerminalTest {
    @TempDir
    Path folder;

    private Cli cli;
    private Path homeport;

    @BeforeEach
    void start() throws IOException {
        cli = new Cli(folder).signedIn();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        homeport = Files.writeString(
                folder.resolve("homeport"),
                "#!/bin/sh\nexport XDG_CONFIG_HOME='" + cli.variables.get("XDG_CONFIG_HOME") + "' XDG_CACHE_HOME='"
                        + cli.variables.get("XDG_CACHE_HOME") + "'\nexec '" + java
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '" + System.getProperty("java.class.path")
                        + "' dev.homeport.cli.Main \"$@\"\n");
        assertThat(homeport.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void stop() {
        cli.close();
    }

    private Process shell(String script) throws IOException {
        Process process = new ProcessBuilder("bash", "-c", script.replace("homeport", homeport.toString()))
                .redirectErrorStream(true)
                .start();
        // A read without a limit would wait forever for output that never comes.
        CompletableFuture.delayedExecutor(120, TimeUnit.SECONDS).execute(() -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
        return process;
    }

    private static String all(Process process) throws Exception {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    /** Reads until a text has come. */
    private static String until(InputStream in, String wanted) throws IOException {
        StringBuilder said = new StringBuilder();
        while (said.indexOf(wanted) < 0) {
            int next = in.read();
            assertThat(next).as("%s was not said, but: %s", wanted, said).isNotNegative();
            said.append((char) next);
        }
        return said.toString();
    }

    private static String said(Process process, String wanted) {
        try {
            return until(process.getInputStream(), wanted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fleet(int size) throws IOException {
        String rows = IntStream.range(0, size)
                .mapToObj("edge-%04d,dev,team-edge"::formatted)
                .collect(Collectors.joining("\n"));
        Path file = Files.writeString(folder.resolve("fleet.csv"), "name,env,owner\n" + rows + "\n");
        cli.run("adopt", "-f", file.toString()).ok();
    }

    @Test
    void aPersonTypesTheCountAndAPipeDoesNot() throws Exception {
        fleet(30);
        cli.run("catalog", "add", "g", "--path", "g/1", "--oci-tag", "v1", "--oci-url", "oci://r.example.com/p")
                .ok();
        Process terminal = shell("script -qec 'homeport assign g -l env=dev' /dev/null");
        String asked = until(terminal.getInputStream(), "Type 30 to go on: ");
        assertThat(asked).contains("30 documents change").contains("\u001b[");
        terminal.outputWriter(StandardCharsets.UTF_8).append("30\n").flush();
        until(terminal.getInputStream(), "revision ");
        assertThat(terminal.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(terminal.exitValue()).isZero();
        Process pipe = shell("echo 30 | homeport unassign g -l env=dev; echo exit $?");
        assertThat(all(pipe)).contains("error:", "--yes", "exit 2").doesNotContain("Type 30", "\u001b[");
    }

    @Test
    void aTableIsAsWideAsTheTerminal() throws Exception {
        fleet(1);
        String reason = "because ".repeat(15) + "of that";
        cli.run("label", "cluster/edge-0000", "a=b", "--reason", reason).ok();
        assertThat(all(shell("COLUMNS=250 script -qec 'homeport audit' /dev/null")))
                .contains(reason);
        assertThat(all(shell("COLUMNS=250 homeport audit")))
                .contains("because…")
                .doesNotContain(reason);
    }

    @Test
    void aReaderThatGoesAwayIsNoDisaster() throws Exception {
        fleet(1000);
        String said = all(shell("homeport get clusters -o json | head -n 1; echo ${PIPESTATUS[0]}"));
        assertThat(said).isEqualTo("[ {\n141\n");
        assertThat(all(shell("homeport get clusters -o name | wc -l; echo ${PIPESTATUS[0]}")))
                .matches("\\s*1000\n0\n");
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws Exception {
        Path file = Files.writeString(folder.resolve("new.yaml"), "{type: workspace, id: new, spec: {owner: me}}");
        for (String command : List.of("get clusters", "--help", "diff -f " + file)) {
            assertThat(all(shell("homeport " + command + " > /dev/full; echo exit $?")))
                    .contains("not all of the output could be written: No space left on device", "next:")
                    .contains(command.startsWith("diff") ? "exit 2" : "exit 1");
        }
    }

    @Test
    void watchingEndsWithControlC() throws Exception {
        fleet(1);
        Process watch = shell(
                "trap '' INT; homeport get clusters --watch --columns name,owner & child=$!; echo pid $child; wait $child; echo exit $?");
        String begin = until(watch.getInputStream(), "edge-0000  team-edge");
        cli.run("patch", "cluster/edge-0000", "-p", "{owner: team-new}").ok();
        until(watch.getInputStream(), "edge-0000  team-new");
        String pid = begin.lines()
                .filter(line -> line.startsWith("pid "))
                .findFirst()
                .orElseThrow()
                .substring(4);
        // A shell without job control starts what is in the background deaf to SIGINT, so the terminal's own signal is
        // sent.
        new ProcessBuilder("kill", "-TERM", pid).start().waitFor();
        assertThat(all(watch)).contains("exit 143");
        // The parent of this test may ignore SIGINT as well.
        Process terminal = shell("env --default-signal=INT script -qec 'homeport events' /dev/null");
        CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> said(terminal, "while watching"));
        // What happens before it listens it does not hear of, and it does not say that it listens.
        for (int i = 0; i < 60 && !seen.isDone(); i++) {
            cli.run("patch", "cluster/edge-0000", "-p", "{owner: team-" + i + "}", "--reason", "while watching")
                    .ok();
            Thread.sleep(500);
        }
        assertThat(seen).as("a change is printed").isCompleted();
        terminal.outputWriter(StandardCharsets.UTF_8).append('\u0003').flush();
        assertThat(terminal.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(terminal.exitValue()).isEqualTo(130);
    }
}
