package dev.homeport.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.cli.program.RootCommand;
import dev.homeport.cli.reference.ReferencePages;
import dev.homeport.cli.terminal.ProcessEnvironment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/** The manual is what the commands say, and completion works in a real shell. */
class ReferenceTest {
    @TempDir
    Path folder;

    static CommandSpec whole() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return RootCommand.whole(new ProcessEnvironment(
                        Map.of(),
                        Path.of("."),
                        Path.of(""),
                        new ByteArrayInputStream(new byte[0]),
                        nowhere,
                        nowhere,
                        ProcessEnvironment.Terminals.NONE,
                        InstantSource.system()))
                .getCommandSpec();
    }

    @Test
    void theManualIsCurrent() throws IOException {
        Path docs = Path.of(System.getProperty("homeport.root"), "docs");
        Map<String, String> pages = ReferencePages.of(whole());
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Path file = docs.resolve(page.getKey());
            assertThat(file).as("made by ./homeport reference docs").exists();
            assertThat(Files.readString(file))
                    .as("%s is old: run ./homeport reference docs", page.getKey())
                    .isEqualTo(page.getValue());
        }
        try (Stream<Path> there = Files.list(docs.resolve("man"))) {
            assertThat(there.map(file -> "man/" + file.getFileName()).toList())
                    .as("pages of commands that are gone")
                    .isSubsetOf(pages.keySet());
        }
    }

    @Test
    void everyCommandAndOptionSaysWhatItIs() {
        check(whole());
    }

    private static void check(CommandSpec command) {
        assertThat(command.usageMessage().description())
                .as(command.qualifiedName(" "))
                .isNotEmpty();
        command.options()
                .forEach(option -> assertThat(option.description())
                        .as(command.qualifiedName(" ") + " " + option.longestName())
                        .isNotEmpty());
        command.positionalParameters()
                .forEach(parameter -> assertThat(parameter.description())
                        .as(command.qualifiedName(" ") + " " + parameter.paramLabel())
                        .isNotEmpty());
        assertThat(command.optionsMap().keySet())
                .as("secrets never come by flag")
                .doesNotContainAnyElementsOf(Set.of("--token", "--password", "--secret"));
        command.subcommands().values().forEach(below -> check(below.getCommandSpec()));
    }

    @Test
    void bashCompletesCommandsOptionsTypesAndNames() throws Exception {
        Path names = Files.createDirectories(folder.resolve("homeport").resolve("names"));
        Files.writeString(names.resolve("clusters"), "eu-dev-1\neu-dev-2\nus-dev-1\n");
        Path script = folder.resolve("completion.bash");
        Files.writeString(script, dev.homeport.cli.reference.BashCompletion.of(whole()));
        assertThat(completed(script, "homeport", "desc")).containsExactly("describe");
        assertThat(completed(script, "homeport", "token", "")).contains("create", "rotate", "revoke");
        assertThat(completed(script, "homeport", "get", "clusters", "--wa")).containsExactly("--watch");
        assertThat(completed(script, "homeport", "get", "clus")).containsExactly("clusters");
        assertThat(completed(script, "homeport", "get", "cluster", "eu-")).containsExactly("eu-dev-1", "eu-dev-2");
        assertThat(completed(script, "homeport", "describe", "cluster/us")).containsExactly("cluster/us-dev-1");
        assertThat(completed(script, "homeport", "pause", "")).hasSize(3);
        assertThat(completed(script, "homeport", "get", "clusters", "-o", "js")).containsExactly("json", "jsonl");
        assertThat(completed(script, "homeport", "get", "-l", "env=dev", "clus"))
                .containsExactly("clusters");
        assertThat(completed(script, "homeport", "get", "../../x", "a")).isEmpty();
    }

    private List<String> completed(Path script, String... words) throws Exception {
        String array = Stream.of(words).map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        ProcessBuilder bash = new ProcessBuilder(
                "bash",
                "--norc",
                "-c",
                "source '" + script + "'; COMP_WORDS=(" + array + "); COMP_CWORD=" + (words.length - 1)
                        + "; __homeport; for one in \"${COMPREPLY[@]}\"; do echo \"$one\"; done");
        bash.environment().put("XDG_CACHE_HOME", folder.toString());
        Process process = bash.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }
}
