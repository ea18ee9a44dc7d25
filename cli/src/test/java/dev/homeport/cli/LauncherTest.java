package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the script starts goes on while its sources are built again. A program of two classes is in Homeport's place, and a copy in
 * Maven's.
 */
@Timeout(120)
class LauncherTest {
    private static final Path LIB =
            Path.of(Objects.requireNonNull(System.getProperty("homeport.root")), "build-tools", "lib.sh");

    @TempDir
    Path root;

    private Path source;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void sources() throws IOException {
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        source = Files.createDirectories(root.resolve("app/src/main")).resolve("version");
        Files.writeString(root.resolve("app/pom.xml"), "<project/>");
        Path code = Files.createDirectories(root.resolve("code"));
        Files.writeString(code.resolve("App.java"), """
                class App {
                    public static void main(String[] args) throws Exception {
                        System.out.println("started");
                        System.in.read();
                        System.out.println(Late.said());
                    }
                }
                class Late {
                    static String said() throws Exception {
                        return new String(App.class.getResourceAsStream("version").readAllBytes());
                    }
                }
                """);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, code.resolve("App.java").toString()))
                .isZero();
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aBuildLeavesWhatRunsAlone() throws Exception {
        edit("first");
        Process first = start();
        Path built = built();
        Files.createFile(built.resolve("cache"));
        edit("first");
        assertThat(goOn(start())).isEqualTo("first");
        assertThat(built()).as("as nothing has changed").isEqualTo(built);
        assertThat(built.resolve("cache")).exists();

        edit("second");
        assertThat(goOn(start())).isEqualTo("second");
        edit("third");
        assertThat(goOn(start())).isEqualTo("third");
        assertThat(builds()).as("the first, which runs, and the last two").isEqualTo(3);
        assertThat(goOn(first)).isEqualTo("first");

        edit("fourth");
        assertThat(goOn(start())).isEqualTo("fourth");
        assertThat(builds()).as("the last two").isEqualTo(2);
    }

    /** Programs in the background do not hear Ctrl-C, and would stay for ever. */
    @Test
    void whoeverDoesNotWaitForFastStartsLeavesNothingBehind() throws Exception {
        edit("first");
        Process process = shell("""
                train() { sleep 300 & echo "$!" >"$ROOT/trained"; : >"$new"; wait; }
                use_aot_cache app train
                """);
        assertThat(line(process)).isEqualTo("building…");
        assertThat(line(process)).startsWith("preparing fast starts");
        Path cache = built().resolve("aot");
        while (files(cache).stream().noneMatch(name -> name.startsWith("app.aot." + process.pid()))) {
            Thread.sleep(20);
        }
        long trained = Long.parseLong(Files.readString(root.resolve("trained")).strip());
        process.toHandle().destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ProcessHandle.of(trained).filter(ProcessHandle::isAlive))
                .as("what ran for it")
                .isEmpty();
        assertThat(files(cache)).containsOnly("app.aot.log");
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).toList();
        }
    }

    private Path built() throws IOException {
        return root.resolve("target/builds")
                .resolve(Files.readString(root.resolve("target/builds/app")).split(" ", -1)[0]);
    }

    private long builds() throws IOException {
        try (Stream<Path> all = Files.list(root.resolve("target/builds"))) {
            return all.filter(Files::isDirectory).count();
        }
    }

    /** Changes the only source, and what a build would make of it. */
    private void edit(String version) throws IOException {
        Files.writeString(source, version);
        jar("homeport-app.jar", root.resolve("code/App.class"), root.resolve("code/Late.class"));
        jar("library.jar", source);
    }

    private void jar(String name, Path... files) throws IOException {
        Path jar = Files.createDirectories(root.resolve("made")).resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : files) {
                JarEntry entry = new JarEntry(file.getFileName().toString());
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(Files.readAllBytes(file));
            }
        }
    }

    private Process start() throws IOException {
        Process process = shell("""
                JVM_OPTIONS=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
                exec_java app App
                """);
        assertThat(line(process)).isEqualTo("building…");
        assertThat(line(process)).isEqualTo("started");
        return process;
    }

    /** Builds, then runs the given commands. Like Maven, it overwrites an earlier build. */
    private Process shell(String then) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", """
                        set -euo pipefail
                        ROOT='%s'
                        . '%s'
                        find_jdk25
                        find_maven() { :; }
                        run_maven() {
                          mkdir -p "$ROOT/app/target/lib"
                          cat "$ROOT/made/homeport-app.jar" >"$ROOT/app/target/homeport-app.jar"
                          cat "$ROOT/made/library.jar" >"$ROOT/app/target/lib/library.jar"
                        }
                        build_if_needed app
                        %s
                        """.formatted(root, LIB, then)).redirectErrorStream(true);
        builder.environment().remove("HOMEPORT_AOT");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static String line(Process process) throws IOException {
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        return Objects.requireNonNullElse(said.readLine(), "");
    }

    /** Lets a program load what it has not needed so far. */
    private static String goOn(Process process) throws Exception {
        try (OutputStream in = process.getOutputStream()) {
            in.write('\n');
        }
        String said = line(process);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
