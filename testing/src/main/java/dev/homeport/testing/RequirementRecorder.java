package dev.homeport.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes a line for each finished test and each requirement it names: id, class, method, status, whether the test
 * works from outside, and which part it shows if not the whole. The folder is the system property {@code homeport.requirements}; without it nothing is written.
 */
public final class RequirementRecorder implements TestExecutionListener {
    private final @Nullable Path folder;
    private @Nullable TestPlan plan;

    public RequirementRecorder() {
        String property = System.getProperty("homeport.requirements");
        folder = property == null ? null : Path.of(property);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        // A class whose set-up fails has no finished tests, so the class itself stands for them.
        if (test.isTest() || failed) {
            record(test, statusOf(result));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        record(test, "skipped");
    }

    private static String statusOf(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "skipped";
            case FAILED -> "failed";
        };
    }

    private void record(TestIdentifier test, String status) {
        Origin origin = originOf(test).orElse(null);
        if (folder == null || origin == null) {
            return;
        }
        String side = origin.isOutsideIn() ? "outside" : "inside";
        List<String> lines = origin.requirements().stream()
                .map(shown -> String.join(
                        "\t", shown.id(), origin.type().getName(), origin.name(), status, side, shown.part()))
                .toList();
        if (!lines.isEmpty()) {
            append(folder, lines);
        }
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

    /** The class and method a test comes from; for a dynamic test these are its factory's. */
    private Optional<Origin> originOf(TestIdentifier test) {
        for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent(); at = parentOf(at.get())) {
            switch (at.get().getSource().orElse(null)) {
                case MethodSource method -> {
                    return Optional.of(
                            new Origin(method.getJavaClass(), method.getJavaMethod(), method.getMethodName()));
                }
                case ClassSource type -> {
                    return Optional.of(new Origin(type.getJavaClass(), type.getJavaClass(), "-"));
                }
                case null, default -> {}
            }
        }
        return Optional.empty();
    }

    private Optional<TestIdentifier> parentOf(TestIdentifier test) {
        return plan == null ? Optional.empty() : plan.getParent(test);
    }

    private record Origin(Class<?> type, AnnotatedElement element, String name) {
        SequencedSet<Shown> requirements() {
            SequencedSet<Shown> shown = new LinkedHashSet<>(shownOn(element));
            for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
                shown.addAll(shownOn(at));
            }
            return shown;
        }

        boolean isOutsideIn() {
            for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
                if (at.isAnnotationPresent(OutsideIn.class)) {
                    return true;
                }
            }
            return false;
        }

        private static List<Shown> shownOn(AnnotatedElement element) {
            return Stream.of(element.getAnnotationsByType(Requirement.class))
                    .flatMap(requirement -> Stream.of(requirement.value()).map(id -> new Shown(id, requirement.part())))
                    .toList();
        }
    }

    private record Shown(String id, String part) {}
}
