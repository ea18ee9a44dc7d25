package dev.homeport.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A commit may touch the whole fleet. What writing it takes does not grow with its size. */
@Tag("slow")
class BigCommitTest {
    @Test
    void aHundredThousandClustersAreWrittenInLittleMemory() throws Exception {
        try (SqliteBackend backend = SqliteBackend.fresh()) {
            Process child = Child.start(List.of("-Xmx160m"), "big", backend.directory(), 100_000);
            assertThat(Child.line(child)).startsWith("Appended");
            assertThat(child.waitFor()).isZero();
            try (SqlStore store = backend.openFollower()) {
                long[] count = {0};
                store.load(document -> count[0]++);
                assertThat(count[0]).isEqualTo(100_000);
            }
        }
    }
}
