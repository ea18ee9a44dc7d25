package dev.homeport.bench.zoo;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** {@code ./bench/run zoo}: plants each bug of {@code bench/zoo} and runs the test that must fail with it, and only with it. */
public final class ZooBenchmark implements Benchmark {
    private static final String USAGE = "options: --list | --only NAME[,NAME…]";

    private final Path root =
            Path.of(System.getProperty("homeport.root", ".")).toAbsolutePath().normalize();
    private final Map<String, TestJvm.Result> withoutBug = new HashMap<>();

    @Override
    public String name() {
        return "zoo";
    }

    @Override
    public String summary() {
        return "planted bugs, each of which a named test must catch";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        List<PlantedBug> bugs = PlantedBug.all(root);
        if (args.equals(List.of("--list"))) {
            Table table = new Table("bug", "test", "what it does");
            bugs.forEach(bug -> table.row(bug.name(), testOf(bug), bug.summary()));
            System.out.print(table);
            return;
        }
        plantEach(chosen(bugs, args), report);
    }

    private static List<PlantedBug> chosen(List<PlantedBug> bugs, List<String> args) {
        if (args.isEmpty()) {
            return bugs;
        }
        if (args.size() != 2 || !args.getFirst().equals("--only")) {
            throw new IllegalArgumentException("unknown option " + args.getFirst() + "; " + USAGE);
        }
        List<PlantedBug> chosen = new ArrayList<>();
        for (String name : args.get(1).split(",", -1)) {
            chosen.add(bugs.stream()
                    .filter(bug -> bug.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no planted bug is called " + name + "; --list prints their names")));
        }
        return chosen;
    }

    private void plantEach(List<PlantedBug> bugs, Report report) throws IOException, InterruptedException {
        Table table = new Table("bug", "test", "result", "seconds");
        int survivors = 0;
        for (PlantedBug bug : bugs) {
            long start = System.nanoTime();
            String result = result(bug);
            String seconds = String.format(
                    Locale.ROOT,
                    "%.1f",
                    Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0);
            table.row(bug.name(), testOf(bug), result, seconds);
            System.err.println(bug.name() + ": " + result + " (" + seconds + " s)");
            report.figures(Map.of("bug", bug.name(), "test", testOf(bug), "result", result, "seconds", seconds));
            survivors += result.startsWith("caught") ? 0 : 1;
        }
        System.out.print(table);
        System.out.println(
                survivors == 0 ? "all caught: " + bugs.size() : survivors + " of " + bugs.size() + " not caught");
        report.goal("planted bugs that are not caught", survivors, Goal.Bound.AT_MOST, 0);
    }

    private String result(PlantedBug bug) throws IOException, InterruptedException {
        Path log = Files.createDirectories(root.resolve("target/zoo/logs")).resolve(bug.name() + ".log");
        Path folder = Files.createTempDirectory("homeport-zoo");
        try {
            List<Path> classPath = TestJvm.classPath(root, bug.module());
            if (withoutBug(bug, classPath) != TestJvm.Result.PASSED) {
                return "NOT SHOWN: the test does not pass without the bug, see target/zoo/logs";
            }
            Overlay overlay = new Overlay(root, folder);
            Path project = overlay.plant(bug, classPath);
            List<Path> overlaid = new ArrayList<>(List.of(overlay.classes()));
            overlaid.addAll(classPath);
            return switch (new TestJvm(project, log).run(bug.module(), overlaid, bug.tests())) {
                case FAILED -> "caught";
                case HUNG -> "caught (the test hangs)";
                case PASSED -> "SURVIVED";
                case NOT_RUN -> "NOT SHOWN: no test was run";
            };
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return "BROKEN";
        } finally {
            delete(folder);
        }
    }

    /** The same tests on the code as it is, once for all bugs that they catch. */
    private TestJvm.Result withoutBug(PlantedBug bug, List<Path> classPath) throws IOException, InterruptedException {
        TestJvm.Result known = withoutBug.get(testOf(bug));
        if (known == null) {
            Path log = root.resolve("target/zoo/logs").resolve("without-" + bug.name() + ".log");
            known = new TestJvm(root, log).run(bug.module(), classPath, bug.tests());
            withoutBug.put(testOf(bug), known);
        }
        return known;
    }

    private static String testOf(PlantedBug bug) {
        return bug.module() + " " + String.join(" ", bug.tests()).replace("dev.homeport.", "");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
