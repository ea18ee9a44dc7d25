import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints which requirements the tests have shown: java RequirementTable.java docs/requirements.md target/requirements.
 * A requirement is shown by a passed test from outside, unless another test from outside of the same requirement failed.
 * Tests that show a part of one are counted apart: however many pass, it is not shown by them.
 */
public final class RequirementTable {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-H][0-9]+) +\\| *([^|]*?) *\\|.*");

    private enum Status {
        SKIPPED,
        PASSED,
        FAILED
    }

    /** One test method for one requirement; its repetitions are one test. */
    private record Test(String id, String type, String method, boolean outside, String part) {}

    private record Count(long passed, long failed) {
        String text() {
            String failures = failed == 0 ? "" : " (" + failed + " failed)";
            return (passed == 0 ? "none" : Long.toString(passed)) + failures;
        }

        boolean shows() {
            return passed > 0 && failed == 0;
        }
    }

    private RequirementTable() {}

    public static void main(String[] args) throws IOException {
        Map<String, String> requirements = requirements(Path.of(args[0]));
        Map<Test, Status> results = results(Path.of(args[1]));

        System.out.printf("%-5s %-18s %-18s %s%n", "id", "from outside", "inside", "requirement");
        int shown = 0;
        int partly = 0;
        for (Map.Entry<String, String> requirement : requirements.entrySet()) {
            Count outside = count(results, requirement.getKey(), true);
            Count inside = count(results, requirement.getKey(), false);
            String text = requirement.getValue();
            TreeSet<String> parts = parts(results, requirement.getKey());
            boolean part = !outside.shows() && outside.failed() == 0 && !parts.isEmpty();
            System.out.printf(
                    "%-5s %-18s %-18s %s%n",
                    requirement.getKey(),
                    part ? "in part" : outside.text(),
                    inside.text(),
                    (text.length() > 70 ? text.substring(0, 69) + "…" : text)
                            + (part ? " [only: " + String.join("; ", parts) + "]" : ""));
            shown += outside.shows() ? 1 : 0;
            partly += part ? 1 : 0;
        }

        TreeSet<String> unknown =
                results.keySet().stream().map(Test::id).collect(Collectors.toCollection(TreeSet::new));
        unknown.removeAll(requirements.keySet());
        if (!unknown.isEmpty()) {
            System.out.println("tests name requirements that do not exist: " + String.join(", ", unknown));
        }
        System.out.printf(
                "requirements: %d of %d shown%s%n",
                shown, requirements.size(), partly == 0 ? "" : ", " + partly + " more in part");
        System.exit(unknown.isEmpty() ? 0 : 1);
    }

    private static Map<String, String> requirements(Path file) throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && found.put(row.group(1), row.group(2)) != null) {
                throw new IllegalStateException(row.group(1) + " appears twice in " + file);
            }
        }
        return found;
    }

    private static Map<Test, Status> results(Path folder) throws IOException {
        Map<Test, Status> results = new LinkedHashMap<>();
        for (String line : lines(folder)) {
            String[] fields = line.split("\t", -1);
            Test test = new Test(fields[0], fields[1], fields[2], fields[4].equals("outside"), fields[5]);
            Status status = switch (fields[3]) {
                case "passed" -> Status.PASSED;
                case "skipped" -> Status.SKIPPED;
                default -> Status.FAILED;
            };
            // The worst of a test's repetitions counts; the constants are in that order.
            results.merge(test, status, (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
        return results;
    }

    private static List<String> lines(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
        }
        return lines;
    }

    private static TreeSet<String> parts(Map<Test, Status> results, String id) {
        return results.entrySet().stream()
                .filter(e -> e.getValue() == Status.PASSED)
                .map(Map.Entry::getKey)
                .filter(test ->
                        test.id().equals(id) && test.outside() && !test.part().isEmpty())
                .map(Test::part)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Count count(Map<Test, Status> results, String id, boolean outside) {
        Map<Status, Long> byStatus = results.entrySet().stream()
                .filter(e -> e.getKey().id().equals(id) && e.getKey().outside() == outside)
                // A part that fails counts against the whole; one that passes does not count for it.
                .filter(e -> e.getKey().part().isEmpty() || e.getValue() == Status.FAILED)
                .collect(Collectors.groupingBy(Map.Entry::getValue, Collectors.counting()));
        return new Count(byStatus.getOrDefault(Status.PASSED, 0L), byStatus.getOrDefault(Status.FAILED, 0L));
    }
}
