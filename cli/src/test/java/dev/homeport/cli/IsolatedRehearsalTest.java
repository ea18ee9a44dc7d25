package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.config.Setting;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Before the first start the launcher runs a throw-away server and commands to prepare fast starts. Nothing of the real
 * configuration may reach them: they would answer clusters' polls from a seed, and acknowledge writes that are lost.
 */
@Timeout(240)
class IsolatedRehearsalTest {
    private static final Path PROJECT = Path.of(Objects.requireNonNull(System.getProperty("homeport.root")));
    private static final String CANARY = "canary";

    /** What the command line and the JVM read; settings of the server come from the list of them. */
    private static final List<String> OTHERS = List.of(
            "HOMEPORT_SERVER",
            "HOMEPORT_TOKEN",
            "HOMEPORT_CONTEXT",
            "HOMEPORT_WORKSPACE",
            "HOMEPORT_REASON",
            "HOMEPORT_CA",
            "HOMEPORT_CLIENT_CERTIFICATE",
            "HOMEPORT_CLIENT_KEY",
            "HOMEPORT_ID_TOKEN",
            "HOMEPORT_DEBUG",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "http_proxy",
            "https_proxy",
            "CLASSPATH",
            "JAVA_OPTS",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS");

    @TempDir
    static Path installation;

    @TempDir
    Path folder;

    private Path work;
    private Path temporary;
    private final Set<String> seen = new TreeSet<>();

    /** An installation of the classes under test, as the launcher expects it. */
    @BeforeAll
    static void install() throws IOException {
        Files.createSymbolicLink(installation.resolve("build-tools"), PROJECT.resolve("build-tools"));
        Path libraries = Files.createDirectories(installation.resolve("libraries"));
        int count = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.isDirectory(from)) {
                jar(from, libraries.resolve("classes-" + ++count + ".jar"));
            } else if (from.getFileName().toString().startsWith("picocli-")) {
                Files.copy(from, libraries.resolve(from.getFileName())); // the launcher changes it
            } else if (Files.exists(from) && !from.getFileName().toString().startsWith("slf4j-simple")) {
                Files.createSymbolicLink(libraries.resolve("library-" + ++count + ".jar"), from);
            }
        }
        for (String module : List.of("server", "cli")) {
            Path target = Files.createDirectories(installation.resolve(module + "/target"));
            jar(Files.createDirectories(installation.resolve("empty")), target.resolve("homeport-" + module + ".jar"));
            Files.createSymbolicLink(target.resolve("lib"), libraries);
        }
    }

    /** JUnit would warn of each link. */
    @AfterAll
    static void unlink() throws IOException {
        try (Stream<Path> all = Files.walk(installation)) {
            for (Path link : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    @BeforeEach
    void folders() throws IOException {
        work = Files.createDirectories(folder.resolve("work"));
        temporary = Files.createDirectories(folder.resolve("temporary"));
    }

    @Test
    void aServerThatIsConfiguredToServeDoesNotServeDuringTheRehearsal() throws Exception {
        Path data = folder.resolve("data");
        Path seed = Files.writeString(folder.resolve("seed.json"), """
                {"clusters": [{"id": "canary", "cluster_name": "canary", "environment": "prod"}]}
                """);
        List<Integer> ports = List.of(freePort(), freePort(), freePort());
        Map<String, String> variables = new HashMap<>();
        for (Setting setting : Setting.values()) {
            String value = switch (setting) {
                case LISTEN_ADDR -> "127.0.0.1:" + ports.get(0);
                case ADMIN_LISTEN -> "127.0.0.1:" + ports.get(1);
                case POLL_LISTEN -> "127.0.0.1:" + ports.get(2);
                case DATA -> data.toString();
                case DATABASE_URL -> "sqlite:" + data;
                case SEED_FILE -> seed.toString();
                case ADMIN_TOKEN, AUTH_TOKEN, CRUD_AUTH_TOKEN -> CANARY + "-token-long-enough-for-a-token";
                case INIT -> "true";
                default -> setting.standard();
            };
            setting.variables().forEach(variable -> variables.put(variable, value));
        }
        // The cache itself is another test's, because making one takes a while.
        String log = prepare("jvm_options server; java_command server; train_server", variables, ports);
        assertThat(seen).as("what reached the rehearsal").isEmpty();
        assertServed(log);
        assertThat(data).doesNotExist();
    }

    @Test
    void nothingOfTheEnvironmentReachesTheServersRehearsal() throws Exception {
        String log = makeCache("server", nonsense());
        assertThat(seen).as("what reached the rehearsal").isEmpty();
        assertServed(log);
    }

    @Test
    void nothingOfTheEnvironmentReachesTheCommandLinesRehearsal() throws Exception {
        try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, String> variables = nonsense();
            String address = "http://127.0.0.1:" + trap.getLocalPort();
            for (String variable :
                    List.of("HOMEPORT_SERVER", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")) {
                variables.put(variable, address);
            }
            String log = makeCache("cli", variables);
            assertThat(seen).as("what reached the rehearsal").isEmpty();
            assertThat(log).doesNotContain("Exception", CANARY);
            trap.setSoTimeout(1);
            try (Socket caller = trap.accept()) {
                assertThat(caller.getRemoteSocketAddress()).as("who called").isNull();
            } catch (SocketTimeoutException e) {
                assertThat(e).isNotNull(); // nothing called
            }
        }
    }

    /** Tests and benchmarks start from scripts that remove all settings; a new alias must be added there. */
    @Test
    void scriptsForgetEverySetting() throws Exception {
        Map<String, String> variables = new HashMap<>();
        for (Setting setting : Setting.values()) {
            setting.variables().forEach(variable -> variables.put(variable, CANARY));
        }
        assertThat(run(variables, "ROOT='" + installation + "'\n. '" + lib() + "'\nforget_settings\nenv\n"))
                .contains("HOMEPORT_KEYRING=off")
                .doesNotContain(CANARY);
        for (String script : List.of("check", "bench/run", "e2e/run")) {
            assertThat(Files.readString(PROJECT.resolve(script))).contains("\nforget_settings\n");
        }
    }

    private static void assertServed(String log) {
        assertThat(log)
                .contains("/api/v2/flux/clusters/rehearsal.example.com/platform-components HTTP/1.1 200 OK", "ready")
                .doesNotContain(CANARY);
    }

    /** Values that no server would start with. */
    private static Map<String, String> nonsense() {
        Map<String, String> variables = new HashMap<>();
        for (Setting setting : Setting.values()) {
            setting.variables().forEach(variable -> variables.put(variable, CANARY));
        }
        OTHERS.forEach(variable -> variables.put(variable, CANARY));
        for (String options : List.of("JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            variables.put(options, "-D" + CANARY + "=true");
        }
        return variables;
    }

    private static Path lib() {
        return PROJECT.resolve("build-tools/lib.sh");
    }

    private String makeCache(String module, Map<String, String> variables) throws Exception {
        String said = prepare("jvm_options M; use_aot_cache M train_M".replace("M", module), variables, List.of());
        Path aot = installation.resolve(module + "/target/aot");
        String log = Files.readString(aot.resolve(module + ".aot.log"));
        assertThat(aot.resolve(module + ".aot")).as(said + log).isNotEmptyFile();
        return log;
    }

    /** Returns what was said; meanwhile looks at the processes and at ports that must stay closed. */
    private String prepare(String how, Map<String, String> variables, List<Integer> ports) throws Exception {
        Path log = folder.resolve("log");
        Process process = start(
                variables,
                "set -euo pipefail\nROOT='%s'\n. '%s'\nfind_jdk25\nexec >'%s' 2>&1\n%s\n"
                        .formatted(installation, lib(), log, how));
        while (process.isAlive()) {
            for (int port : ports) {
                if (isOpen(port)) {
                    seen.add("something listens on " + port);
                }
            }
            process.descendants().forEach(child -> look(child.pid(), variables));
            Thread.sleep(5);
        }
        String said = Files.readString(log);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(files(work)).as("files in the folder where it was started").isEmpty();
        assertThat(files(temporary)).as("files that are left behind").isEmpty();
        return said;
    }

    private Process start(Map<String, String> variables, String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(work.toFile())
                .redirectErrorStream(true);
        builder.environment().remove("HOMEPORT_AOT");
        builder.environment().putAll(variables);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("HOME", work.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private String run(Map<String, String> variables, String script) throws Exception {
        Process process = start(variables, script);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** Notes what a Java process was given. Before it is Java it is a shell, which has everything. */
    private void look(long pid, Map<String, String> variables) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            List<String> command = words(process.resolve("cmdline"));
            if (!command.getFirst().endsWith("/bin/java")) {
                return;
            }
            if (command.stream().anyMatch(word -> word.contains(CANARY))) {
                seen.add("command line " + command);
            }
            for (String variable : words(process.resolve("environ"))) {
                String name = variable.substring(0, Math.max(0, variable.indexOf('=')));
                // The JVM that writes the cache gets its options by this variable from the one that recorded.
                boolean ours = name.equals("JAVA_TOOL_OPTIONS") && !variable.contains(CANARY);
                if (variables.containsKey(name) && !ours) {
                    seen.add("variable " + variable);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            assertThat(e).isNotNull(); // it has ended
        }
    }

    private static List<String> words(Path file) throws IOException {
        return List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0", -1));
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(Path::toString).collect(Collectors.toCollection(ArrayList::new));
        }
    }

    private static void jar(Path folder, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> all = Files.walk(folder)) {
            out.setLevel(0);
            // With its folders, by which migrations are found.
            for (Path file : all.filter(one -> !one.equals(folder)).toList()) {
                boolean isFolder = Files.isDirectory(file);
                out.putNextEntry(new JarEntry(folder.relativize(file) + (isFolder ? "/" : "")));
                if (!isFolder) {
                    Files.copy(file, out);
                }
            }
        }
    }
}
