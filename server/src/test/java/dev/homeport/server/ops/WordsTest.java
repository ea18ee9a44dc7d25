package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of {@code ./check} that finds words in pages, messages and comments that are not plain English. */
class WordsTest {
    private static final Path PROJECT = Path.of(Objects.requireNonNull(System.getProperty("homeport.root")));

    @TempDir
    Path root;

    private record Ran(int code, String said) {}

    @BeforeEach
    void aSmallProject() throws IOException {
        for (String folder : List.of("docs", "deploy", "api", "core", "server", "cli", "bench", "e2e")) {
            Files.createDirectories(root.resolve(folder).resolve("src/main"));
            Files.createDirectories(root.resolve(folder).resolve("src/test"));
        }
        for (String page : List.of("README", "SECURITY", "CHANGELOG", "CONTRIBUTING")) {
            write(page + ".md", page + "\n");
        }
        write("build-tools/words.tsv", "# word\tinstead\nwhoever\tthe caller\nnot there\tnot found\n");
        write("build-tools/words-allowed.tsv", "");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    private Ran run(String... more) throws Exception {
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        PROJECT.resolve("build-tools/Words.java")
                                                .toString(),
                                        root.toString()),
                                Stream.of(more))
                        .toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), said);
    }

    @Test
    void wordsInPagesAndStringsAreFoundAndCodeIsNot() throws Exception {
        write("docs/page.md", "One line.\nWhoever reads it finds it is not\nthere.\n");
        write("core/src/main/java/A.java", """
                class A {
                    int whoever = '"';
                    String said = "say \\"whoever\\"" + "it is not"
                            + " there";
                }
                """);
        Ran ran = run();
        assertThat(ran.said().lines())
                .containsExactly(
                        "[ERROR] core/src/main/java/A.java:3 says \"not there\"; say not found",
                        "[ERROR] core/src/main/java/A.java:3 says \"whoever\"; say the caller",
                        "[ERROR] docs/page.md:2 says \"not there\"; say not found",
                        "[ERROR] docs/page.md:2 says \"Whoever\"; say the caller");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void wordsInCommentsAreFound() throws Exception {
        String source = """
                /**
                 * Asked by whoever wants to know what is not
                 * there.
                 */
                class A {
                    // it is not
                    // there
                    int whoever = 1; // for whoever
                    String said = "whoever";
                }
                """;
        write("core/src/test/java/A.java", source);
        Ran ran = run();
        assertThat(ran.said().lines())
                .containsExactly(
                        "[ERROR] core/src/test/java/A.java:2 says \"not there\"; say not found",
                        "[ERROR] core/src/test/java/A.java:6 says \"not there\"; say not found",
                        "[ERROR] core/src/test/java/A.java:2 says \"whoever\"; say the caller",
                        "[ERROR] core/src/test/java/A.java:8 says \"whoever\"; say the caller");
        assertThat(ran.code()).isEqualTo(1);

        write("core/src/test/java/A.java", "");
        write("core/src/main/java/A.java", source);
        assertThat(run().said().lines())
                .hasSize(5)
                .contains("[ERROR] core/src/main/java/A.java:9 says \"whoever\"; say the caller");
    }

    @Test
    void theAllowListOnlyShrinks() throws Exception {
        write("docs/page.md", "Whoever reads this, and whoever does not.\n");
        write("build-tools/words-allowed.tsv", "2\tdocs/page.md\twhoever\n");
        assertThat(run()).isEqualTo(new Ran(0, ""));

        write("docs/page.md", "Whoever reads this.\n");
        assertThat(run().said()).contains("allows more than there is of docs/page.md whoever");
        assertThat(run("--lower").code()).isZero();
        assertThat(Files.readString(root.resolve("build-tools/words-allowed.tsv")))
                .contains("1\tdocs/page.md\twhoever");

        write("docs/page.md", "Whoever reads this, and whoever does not.\n");
        assertThat(run("--lower").code()).isZero();
        assertThat(run().said()).contains("docs/page.md:1 says \"Whoever\"");
    }
}
