package dev.homeport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes a line for each test that was skipped: its class and the reason. The folder is the system property
 * {@code homeport.skipped}; without it nothing is written. {@code ./check} prints what was skipped at its end.
 */
public final class SkippedRecorder implements TestExecutionListener {
    private final @Nullable Path folder;
    private @Nullable TestPlan plan;

    public SkippedRecorder() {
        this(System.getProperty("homeport.skipped"));
    }

    public SkippedRecorder(@Nullable String folder) {
        this.folder = folder == null ? null : Path.of(folder);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        record(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            record(
                    test,
                    result.getThrowable()
                            .map(cause -> String.valueOf(cause.getMessage()))
                            .orElse("aborted"));
        }
    }

    /** A skipped class counts as all of its tests that are known. */
    private void record(TestIdentifier test, String reason) {
        TestPlan known = plan;
        if (folder == null || known == null) {
            return;
        }
        String words = reason.replaceAll("\\s+", " ").strip();
        List<String> tests = test.isTest()
                ? List.of(nameOf(test))
                : known.getDescendants(test).stream()
                        .filter(TestIdentifier::isTest)
                        .map(SkippedRecorder::nameOf)
                        .toList();
        Stream<String> names = tests.isEmpty() ? Stream.of(nameOf(test)) : tests.stream();
        append(folder, names.map(name -> name + "\t" + words).toList());
    }

    private static String nameOf(TestIdentifier test) {
        return switch (test.getSource().orElse(null)) {
            case MethodSource method -> method.getClassName();
            case ClassSource type -> type.getClassName();
            case null, default -> test.getDisplayName();
        };
    }

    private static synchronized void append(Path folder, List<String> lines) {
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve(
                    String.format(Locale.ROOT, "%d.tsv", ProcessHandle.current().pid()));
            Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
