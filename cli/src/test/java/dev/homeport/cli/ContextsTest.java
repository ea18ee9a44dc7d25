package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.login.Contexts;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of contexts, as people and other programs may have left it. No server runs. */
class ContextsTest {
    private static final String NOWHERE = "http://127.0.0.1:1";

    @TempDir
    Path folder;

    private final Map<String, String> variables = new HashMap<>();
    private Path config;

    @BeforeEach
    void place() {
        variables.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        config = folder.resolve("config/homeport/config.yaml");
    }

    private Cli.Ran run(String... words) {
        return typing("", words);
    }

    private Cli.Ran typing(String input, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Main.run(
                new ProcessEnvironment(
                        Map.copyOf(variables),
                        folder,
                        folder,
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        ProcessEnvironment.Terminals.NONE,
                        InstantSource.system()),
                words);
        return new Cli.Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aFileThatIsNotOursIsNotWrittenOver() throws Exception {
        Files.createDirectories(config.getParent());
        for (String text : List.of(
                "- a\n- b\n", "just text", "contexts: 7\n", "contexts: [1]\n", "contexts:\n  a: 7\n", "a: [", "\0")) {
            Files.writeString(config, text);
            for (String[] words : new String[][] {
                {"context", "list"},
                {"context", "add", "a", NOWHERE},
                {"context", "use", "a"},
                {"whoami"},
                {"logout", "a"}
            }) {
                assertThat(run(words).fails(2).err()).as(text).contains(config.toString(), "mend it, or remove it");
            }
            assertThat(Files.readString(config)).isEqualTo(text);
        }
        for (String text : List.of("", "\n", "---\n", "# nothing yet\n", "{}", "contexts:\n", "contexts: null\n")) {
            Files.writeString(config, text);
            assertThat(run("context", "list").ok().out()).as(text).isEmpty();
            run("context", "add", "a", NOWHERE).ok();
            assertThat(run("context", "list").ok().out()).as(text).contains("* a  " + NOWHERE);
        }
        Files.delete(config);
        Files.createDirectory(config);
        assertThat(run("context", "add", "a", NOWHERE).fails(1).err()).contains("cannot be read: Is a directory");
    }

    @Test
    void aListForProgramsHasNoTokens() {
        typing("hp_secret\n", "context", "add", "a", NOWHERE, "--token-stdin").ok();
        run("context", "add", "b", NOWHERE).ok();
        run("context", "set", "b", "workspace=payments").ok();
        assertThat(run("context", "list", "-o", "name").ok().out()).isEqualTo("a\nb\n");
        assertThat(run("context", "list", "-o", "jsonl").ok().out())
                .isEqualTo("{\"name\":\"a\",\"server\":\"" + NOWHERE
                        + "\",\"sign_in\":\"token\",\"current\":false}\n{\"name\":\"b\",\"server\":\"" + NOWHERE
                        + "\",\"sign_in\":\"none\",\"workspace\":\"payments\",\"current\":true}\n");
        assertThat(run("context", "list", "-o", "csv").ok().out())
                .isEqualTo("NAME,CURRENT,SIGN-IN,WORKSPACE,SERVER\r\na,false,token,," + NOWHERE
                        + "\r\nb,true,none,payments," + NOWHERE + "\r\n");
        for (String form : List.of("table", "wide", "json", "yaml", "md")) {
            assertThat(run("context", "list", "-o", form).ok().out())
                    .contains(NOWHERE, "payments")
                    .doesNotContain("secret");
        }
    }

    @Test
    void aLinkStaysALinkAndNobodyElseReadsWhatIsBehindIt() throws Exception {
        Path elsewhere = folder.resolve("settings/homeport.yaml");
        Files.createDirectories(config.getParent());
        Files.createSymbolicLink(config, Path.of("../../settings/homeport.yaml"));
        for (int i = 0; i < 2; i++) {
            typing("secret\n", "context", "add", "a" + i, NOWHERE, "--token-stdin")
                    .ok();
            assertThat(config).isSymbolicLink();
            assertThat(mode(elsewhere)).isEqualTo("rw-------");
        }
        assertThat(run("context", "list").ok().out()).contains("a0", "* a1", "signed in");
        try (var files = Files.list(elsewhere.getParent())) {
            assertThat(files).as("nothing half written").containsExactly(elsewhere);
        }
        Files.delete(config);
        Files.createSymbolicLink(config, config);
        assertThat(run("context", "add", "a", NOWHERE).fails(1).err()).contains("config.yaml cannot be written");
    }

    @Test
    void whatIsMadeIsForItsOwnerAloneAndWhereItBelongs() throws Exception {
        run("context", "add", "a", NOWHERE).ok();
        assertThat(mode(config)).isEqualTo("rw-------");
        assertThat(mode(config.resolveSibling("login.lock"))).isEqualTo("rw-------");
        assertThat(mode(config.getParent())).isEqualTo("rwx------");
        // The XDG rules ignore a relative folder, so tokens are not stored in the working directory.
        variables.put("XDG_CONFIG_HOME", "here");
        run("context", "add", "a", NOWHERE).ok();
        assertThat(folder.resolve("here")).doesNotExist();
        assertThat(Path.of("here")).doesNotExist();
        assertThat(folder.resolve(".config/homeport/config.yaml")).exists();
        variables.put(
                "XDG_CONFIG_HOME", Files.writeString(folder.resolve("file"), "").toString());
        assertThat(run("context", "add", "a", NOWHERE).fails(1).err()).contains("login.lock cannot be used: ");
    }

    @Test
    void whatIsNoTokenIsNeitherSentNorShown() throws Exception {
        for (String bad : List.of("hidden\nhidden", "hidden\u0000", "hidden hidden", "hiddenü")) {
            assertThat(typing(bad, "context", "add", "a", NOWHERE, "--token-stdin")
                            .fails(2)
                            .err())
                    .contains("is not a token")
                    .doesNotContain("hidden");
            assertThat(typing(bad, "login", NOWHERE, "--token-stdin").fails(2).err())
                    .doesNotContain("hidden");
            variables.put("HOMEPORT_TOKEN", bad);
            assertThat(run("whoami", "--server", NOWHERE).fails(2).err())
                    .contains("HOMEPORT_TOKEN holds is not a token")
                    .doesNotContain("hidden");
            variables.remove("HOMEPORT_TOKEN");
            new Contexts(config).put(Contexts.Context.of("by-hand", NOWHERE).with("token", bad));
            assertThat(run("whoami").fails(4).err())
                    .contains("is not a token; sign in again: homeport login " + NOWHERE)
                    .doesNotContain("hidden");
        }
        // A line end of another system does not belong to the token.
        variables.put("HOMEPORT_TOKEN", "token\r\n");
        run("whoami", "--server", NOWHERE).fails(8);
        for (String name : List.of("", " ", "a\nb", "\u001b[31m", "x".repeat(201))) {
            assertThat(run("context", "add", name, NOWHERE).fails(2).err()).contains("a context's name is one line");
            assertThat(run("login", NOWHERE, "--name", name).fails(2).err()).contains("a context's name is one line");
        }
    }

    @Test
    void whoChangesItAtTheSameTimeLosesNothing() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "c" + i;
            threads.add(Thread.ofPlatform().start(() -> run("context", "add", name, NOWHERE)));
        }
        threads.forEach(thread -> {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(new Contexts(config).all().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 8).mapToObj(i -> "c" + i).toList());
    }
}
