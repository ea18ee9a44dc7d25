package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.homeport.change.Head;
import dev.homeport.change.StoreRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HighWaterTest {
    private static final Head HEAD = new Head("store-1", 2, 1234, "abc");

    @TempDir
    private Path directory;

    @Test
    void isEmptyAtFirst() {
        assertThat(HighWater.in(directory).read()).isEmpty();
    }

    @Test
    void remembersTheLastHeadAcrossInstances() throws IOException {
        HighWater.in(directory).remember(new Head("store-1", 1, 7, "x"));
        HighWater.in(directory).remember(HEAD);
        assertThat(HighWater.in(directory).read()).contains(HEAD);
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aFileCutToNothingByAPowerCutCountsAsAbsent() throws IOException {
        Files.writeString(directory.resolve("high-water"), "");
        assertThat(HighWater.in(directory).read()).isEmpty();
    }

    @Test
    void aFileOfAnotherFormatIsRefusedWithWordsOnWhatToDo() throws IOException {
        Files.writeString(directory.resolve("high-water"), "homeport-high-water-9 a b c d e");
        assertThatThrownBy(() -> HighWater.in(directory).read())
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("delete the file");
    }
}
