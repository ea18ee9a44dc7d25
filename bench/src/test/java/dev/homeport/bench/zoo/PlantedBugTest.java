package dev.homeport.bench.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The short form of {@code ./bench/run zoo}: each planted bug still fits the code that it is planted in. */
class PlantedBugTest {
    private static final Path ROOT = Path.of(System.getProperty("homeport.root", ".."));

    @TestFactory
    Stream<DynamicTest> everyBugFitsTheCode() throws IOException {
        return PlantedBug.all(ROOT).stream().map(bug -> DynamicTest.dynamicTest(bug.name(), () -> fits(bug)));
    }

    private static void fits(PlantedBug bug) throws IOException {
        Path file = ROOT.resolve(bug.file());
        assertThat(file).isRegularFile();
        assertThat(bug.plantIn(Files.readString(file))).isNotEmpty();
        for (String test : bug.tests()) {
            String[] names = test.split("#", 2);
            Path source = ROOT.resolve(bug.module())
                    .resolve("src/test/java")
                    .resolve(names[0].replaceFirst("\\$.*", "").replace('.', '/') + ".java");
            assertThat(source).isRegularFile();
            if (names.length == 2) {
                assertThat(source).content().contains(" " + names[1] + "(");
            }
        }
    }

    @Test
    void thereAreManyAndNoTwoAreTheSame() throws IOException {
        List<PlantedBug> bugs = PlantedBug.all(ROOT);
        assertThat(bugs).hasSizeGreaterThanOrEqualTo(40);
        assertThat(bugs)
                .extracting(bug -> bug.file() + bug.find() + bug.replace())
                .doesNotHaveDuplicates();
        assertThat(bugs).extracting(PlantedBug::summary).doesNotHaveDuplicates();
    }

    @Test
    void aTextThatOccursTwiceIsRejected() {
        PlantedBug bug = PlantedBug.parse("x", "# s\nfile: f\ntest: core T\n--- find\na\n--- replace\nb\n");
        assertThat(bug.plantIn("1a2")).isEqualTo("1b2");
        assertThatThrownBy(() -> bug.plantIn("aa")).hasMessageContaining("twice");
        assertThatThrownBy(() -> bug.plantIn("b")).hasMessageContaining("not in f");
    }

    @Test
    void aFileWithoutATestIsRejected() {
        assertThatThrownBy(() -> PlantedBug.parse("x", "# s\nfile: f\n--- find\na\n--- replace\nb\n"))
                .hasMessageContaining("test:");
        assertThatThrownBy(() -> PlantedBug.parse("x", "# s\nfile: f\ntest: core T\n--- find\na\n"))
                .hasMessageContaining("replace");
    }
}
