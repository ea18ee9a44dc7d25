package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.RunningServer;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every page of docs/howto, word by word: its commands are run, and what they print is what the page says. Pages on a server's
 * host run the real script; the others run the same commands in this process, unless {@code -Dhomeport.howto=script}. With
 * {@code -Dhomeport.howto.write=true} the pages are given what was printed.
 */
class HowtoTest {
    private static final Path ROOT = Path.of(System.getProperty("homeport.root"));
    private static final Path PAGES = ROOT.resolve("docs/howto");
    private static final boolean WRITE = Boolean.getBoolean("homeport.howto.write");
    private static final Pattern ELSEWHERE =
            Pattern.compile("(?m)^(\\$ )?(kubectl|helm|kind|docker|openssl|homeport serve) ");

    /** At the start of a command, in a block or within a sentence. */
    private static final Pattern CALLED = Pattern.compile("(?m)(?:^|`|\\| )((?:\\./)?homeport) [a-z]");

    private static final Pattern ANYTHING = Pattern.compile("");

    /** One has nothing to run; the demo and the sign-in at a provider have tests of their own. */
    private static final Set<String> NOT_RUN = Set.of("sign-in.md", "tls.md", "try-it-out.md");

    @TempDir
    Path folder;

    static Stream<Path> pages() throws IOException {
        String only = System.getProperty("homeport.howto.page", "");
        try (Stream<Path> files = Files.list(PAGES)) {
            return files
                    .filter(file -> file.toString().endsWith(only + ".md"))
                    .filter(file -> !file.endsWith("README.md"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /** A reader who has the alias and one who has not are both helped; one page that does both confuses them. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void callsTheProgramByOneName(Path file) throws IOException {
        Set<String> names = CALLED.matcher(Files.readString(file))
                .results()
                .map(call -> call.group(1))
                .collect(Collectors.toSet());
        assertThat(names).hasSizeLessThan(2);
    }

    @Test
    void theIndexNamesEveryPage() throws IOException {
        String index = Files.readString(PAGES.resolve("README.md"));
        assertThat(pages()).allSatisfy(page -> assertThat(index).contains("(" + page.getFileName() + ")"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pages")
    void doesWhatItSays(Path file) throws Exception {
        HowtoPage page = HowtoPage.read(file);
        assertThat(page.stage() == HowtoPage.Stage.NONE)
                .as("whether nothing of it is run")
                .isEqualTo(NOT_RUN.contains(file.getFileName().toString()));
        Deque<AutoCloseable> started = new ArrayDeque<>();
        try {
            Path program = Files.createDirectories(folder.resolve("bin")).resolve("homeport");
            if (isScript(page.stage())) {
                Files.createSymbolicLink(program, ROOT.resolve("homeport"));
            } else {
                started.push(new CommandDoor(program));
            }
            HowtoShell shell = new HowtoShell(folder, program);
            started.push(shell);
            Optional<EmbeddedPostgres> postgres = Optional.empty();
            switch (page.stage()) {
                case EMPTY, FLEET -> {
                    started.push(signedIn(shell));
                    if (page.stage() == HowtoPage.Stage.FLEET) {
                        shell.write("example-fleet.yaml", Files.readString(PAGES.resolve("example-fleet.yaml")));
                        prepare(shell, "homeport apply -f example-fleet.yaml --yes --reason 'the example'");
                        // States are counted as the server last saw them, and it is yet to look at new clusters.
                        prepare(shell, """
                                clusters=$(grep -c '^type: cluster$' example-fleet.yaml)
                                while [ "$(homeport get clusters --filter state:new -o name | wc -l)" != "$clusters" ]; do
                                  sleep 0.1
                                done
                                unset clusters""");
                    }
                }
                case POSTGRES -> {
                    postgres = Optional.of(EmbeddedPostgres.builder()
                            .setPort(shell.port(5432))
                            .setServerConfig("fsync", "off")
                            .start());
                    started.push(postgres.get());
                }
                case NONE, HOST -> {}
            }
            follow(page, shell, postgres);
        } finally {
            while (!started.isEmpty()) {
                started.pop().close();
            }
        }
    }

    private static boolean isScript(HowtoPage.Stage stage) {
        return stage == HowtoPage.Stage.HOST
                || stage == HowtoPage.Stage.POSTGRES
                || System.getProperty("homeport.howto", "").equals("script");
    }

    private RunningServer signedIn(HowtoShell shell) throws Exception {
        RunningServer server = RunningServer.start(ServerSettings.of(SettingSources.read(
                Map.of(
                        "--data", folder.resolve("data").toString(),
                        "--admin-listen", "127.0.0.1:" + shell.port(8080),
                        "--poll-listen", "127.0.0.1:" + shell.port(8081)),
                Map.of(),
                Optional.empty())));
        shell.write("admin.token", server.firstToken().orElseThrow());
        prepare(shell, "homeport login http://127.0.0.1:8080 --token-stdin < admin.token && rm admin.token");
        return server;
    }

    private static void prepare(HowtoShell shell, String command) throws Exception {
        HowtoShell.Said said = shell.run(command + "\n");
        assertThat(said.exit()).as(said.text()).isZero();
    }

    private static void follow(HowtoPage page, HowtoShell shell, Optional<EmbeddedPostgres> postgres) throws Exception {
        HowtoShell.Said last = new HowtoShell.Said("", 0, Optional.empty());
        List<HowtoPage.Step.Printed> other = new ArrayList<>();
        for (HowtoPage.Step step : page.steps()) {
            String place = PAGES.relativize(page.file()) + ":" + step.line();
            switch (step) {
                case HowtoPage.Step.Run run -> {
                    last = shell.run(run.script());
                    assertThat(last.exit()).as(place + "\n" + last.text()).isEqualTo(run.exit());
                    if (run.exit() == 0) {
                        assertThat(last.failed()).as(place + "\n" + last.text()).isEmpty();
                    }
                }
                case HowtoPage.Step.Serve serve -> last = shell.serve(serve.name(), serve.script());
                case HowtoPage.Step.Stop stop -> shell.stop(stop.name());
                case HowtoPage.Step.Wrote wrote -> shell.write(wrote.name(), wrote.text());
                case HowtoPage.Step.Sql sql -> {
                    try (Connection connection = postgres.orElseThrow()
                                    .getDatabase("postgres", sql.database())
                                    .getConnection();
                            Statement statement = connection.createStatement()) {
                        for (String one : sql.text().split(";\n", -1)) {
                            if (!one.isBlank()) {
                                statement.execute(one);
                            }
                        }
                    }
                }
                case HowtoPage.Step.Elsewhere elsewhere ->
                    assertThat(elsewhere.script())
                            .as(place + " is not run, so it must not be ours")
                            .containsPattern(page.stage() == HowtoPage.Stage.NONE ? ANYTHING : ELSEWHERE);
                case HowtoPage.Step.Printed printed -> {
                    if (!matches(printed.lines(), last.text())) {
                        if (!WRITE) {
                            assertThat(last.text()).as(place).isEqualTo(String.join("\n", printed.lines()));
                        }
                        other.add(new HowtoPage.Step.Printed(
                                printed.line(), shown(last.text()).toList()));
                    }
                }
            }
        }
        if (!other.isEmpty()) {
            page.rewrite(other);
        }
    }

    /** Without what the script says about itself. */
    private static Stream<String> shown(String text) {
        return text.lines()
                .filter(line -> !line.equals("building…") && !line.startsWith("preparing fast starts"))
                .map(String::stripTrailing);
    }

    private static boolean matches(List<String> expected, String actual) {
        String pattern = expected.stream()
                .map(HowtoTest::lasting)
                .map(line -> line.equals("…")
                        ? "(?:.*\n)*?"
                        : Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"))
                                + "\n")
                .collect(Collectors.joining());
        String said = shown(actual).map(line -> lasting(line) + "\n").collect(Collectors.joining());
        return Pattern.compile(pattern).matcher(said).matches();
    }

    /** A line without what is another each time: times, ages, tokens, digests, numbers of bytes, and the width of columns. */
    private static String lasting(String line) {
        return line.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("\\bhp[cjps]_t[0-9a-z]+_[0-9A-Za-z]+", "TOKEN")
                .replaceAll("\\bt[0-9a-z]{8,11}\\b", "TOKEN-ID")
                .replaceAll("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "UUID")
                .replaceAll("\\b(?=[a-f]*[0-9])[0-9a-f]{8,}\\b", "DIGEST")
                .replaceAll("\\b\\d+(\\.\\d+)?(ms|s|m|h|d)\\b", "AGE")
                .replaceAll("\\b\\d+ bytes", "BYTES")
                .replaceAll(" +", " ")
                .strip();
    }
}
