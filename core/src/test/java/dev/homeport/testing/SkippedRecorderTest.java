package dev.homeport.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedRecorderTest {
    private static final String NEEDS = "needs a tool that is missing";

    /** Run by the test alone, which starts it by name. */
    static class Partly {
        @Test
        void runs() {}

        @Test
        @Disabled("not yet")
        void disabled() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void needsATool(int number) {
            Assumptions.assumeTrue(number < 2, NEEDS + "\nor two");
        }
    }

    @Disabled("all of it")
    static class Whole {
        @Test
        void one() {}

        @Test
        void two() {}
    }

    @TempDir
    Path folder;

    @Test
    void everySkippedTestIsALineWithItsReason() {
        assertThat(recorded(Partly.class))
                .containsExactlyInAnyOrder(
                        Partly.class.getName() + "\tnot yet",
                        Partly.class.getName() + "\tAssumption failed: " + NEEDS + " or two",
                        Partly.class.getName() + "\tAssumption failed: " + NEEDS + " or two");
    }

    @Test
    void aSkippedClassCountsAsItsTests() {
        assertThat(recorded(Whole.class))
                .containsExactly(Whole.class.getName() + "\tall of it", Whole.class.getName() + "\tall of it");
    }

    private List<String> recorded(Class<?> tests) {
        var found = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(alone)
                .execute(LauncherExecutionRequestBuilder.request(found)
                        .listeners(new SkippedRecorder(folder.toString()))
                        .build());
        try (Stream<Path> files = Files.list(folder)) {
            return Files.readAllLines(files.findFirst().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
