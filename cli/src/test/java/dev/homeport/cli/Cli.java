package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.login.TokenStore;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.server.RunningServer;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntBiFunction;

/** A real server, and the command line against it in this process: exactly what a process would do, without its start. */
final class Cli implements AutoCloseable {
    final Path folder;
    final RunningServer server;
    final Map<String, String> variables = new HashMap<>();
    InstantSource clock = InstantSource.system();
    private final List<String> requests = new ArrayList<>();
    private volatile ByteArrayOutputStream saying = new ByteArrayOutputStream();

    /** How a command ended and what it said. */
    record Ran(int exit, String out, String err) {
        Ran ok() {
            assertThat(exit).as(err + out).isZero();
            return this;
        }

        Ran fails(int code) {
            assertThat(exit).as(err + out).isEqualTo(code);
            return this;
        }
    }

    Cli(Path folder) {
        this(folder, Map.of());
    }

    /** @param more settings of the server, as flags */
    Cli(Path folder, Map<String, String> more) {
        this.folder = folder;
        Map<String, String> flags = new HashMap<>(Map.of(
                "--data", folder.resolve("data").toString(),
                "--admin-listen", "127.0.0.1:0",
                "--poll-listen", "127.0.0.1:0"));
        flags.putAll(more);
        server = RunningServer.start(ServerSettings.of(SettingSources.read(flags, Map.of(), Optional.empty())));
        variables.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        variables.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    String address() {
        return "http://" + server.admin().orElseThrow();
    }

    Cli signedIn() {
        return signedIn(server.firstToken().orElseThrow());
    }

    Cli signedIn(String token) {
        typing(token, "login", address(), "--token-stdin").ok();
        return this;
    }

    /** A started server again, with the data of one that was closed and whose record of a cluster is damaged now. */
    static Cli withDamagedRecord(Path folder, String cluster, String token) throws SQLException {
        try (var connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + folder.resolve("data").resolve("homeport.db"));
                var update = connection.prepareStatement("UPDATE documents SET body = replace(body, '{', '{ ')"
                        + " WHERE type = 'cluster_life' AND id = ?")) {
            update.setString(1, cluster);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        return new Cli(folder).signedIn(token);
    }

    Ran run(String... words) {
        return typing("", words);
    }

    Ran typing(String input, String... words) {
        return at(ProcessEnvironment.Terminals.NONE, input, words);
    }

    /** As if a person sat there. */
    Ran atTerminal(String input, String... words) {
        return at(new ProcessEnvironment.Terminals(true, true, true), input, words);
    }

    /** With what a process does in the background. */
    Ran prepared(String... words) {
        return at(Main::runPrepared, ProcessEnvironment.Terminals.NONE, "", words);
    }

    private Ran at(ProcessEnvironment.Terminals terminals, String input, String... words) {
        return at(Main::run, terminals, input, words);
    }

    private Ran at(
            ToIntBiFunction<ProcessEnvironment, String[]> main,
            ProcessEnvironment.Terminals terminals,
            String input,
            String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        saying = err;
        ProcessEnvironment process = process(terminals, input, out, err);
        int exit = main.applyAsInt(process, words);
        String said = err.toString(StandardCharsets.UTF_8);
        said.lines().filter(line -> line.startsWith("> ")).forEach(line -> requests.add(line.substring(2)));
        return new Ran(exit, out.toString(StandardCharsets.UTF_8), said);
    }

    private ProcessEnvironment process(
            ProcessEnvironment.Terminals terminals,
            String input,
            ByteArrayOutputStream out,
            ByteArrayOutputStream err) {
        return new ProcessEnvironment(
                Map.copyOf(variables),
                folder,
                folder,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                terminals,
                clock);
    }

    /** Keeps a context as a sign-in does; says where its tokens are. */
    String put(Contexts.Context context) {
        return tokens().put(context);
    }

    /** With its tokens, as a command gets them. */
    Contexts.Context opened(Contexts.Context context) {
        return tokens().opened(context);
    }

    private TokenStore tokens() {
        return new TokenStore(process(
                ProcessEnvironment.Terminals.NONE, "", new ByteArrayOutputStream(), new ByteArrayOutputStream()));
    }

    /** What the command that runs now has said on stderr so far. */
    String saying() {
        return saying.toString(StandardCharsets.UTF_8);
    }

    /** What commands with {@code -v} have asked of the server, as METHOD PATH STATUS. */
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.close();
    }
}
