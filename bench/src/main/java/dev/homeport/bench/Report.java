package dev.homeport.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What one run of a benchmark found: figures, goals, and the machine it ran on. */
public final class Report {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final String benchmark;
    private final Instant started = Instant.now();
    private final List<Map<String, Object>> figures = new ArrayList<>();
    private final List<Goal> goals = new ArrayList<>();

    Report(String benchmark) {
        this.benchmark = benchmark;
    }

    /** Adds one row of figures, by name. */
    public void figures(Map<String, ?> row) {
        figures.add(new LinkedHashMap<>(row));
    }

    public void goal(String name, double value, Goal.Bound bound, double target) {
        goals.add(new Goal(name, value, bound, target));
    }

    /** Nothing was measured, as when a benchmark only lists what it would do. */
    boolean isEmpty() {
        return figures.isEmpty() && goals.isEmpty();
    }

    List<Goal> goals() {
        return List.copyOf(goals);
    }

    boolean allGoalsMet() {
        return goals.stream().allMatch(Goal::met);
    }

    /** Writes bench/results/NAME-TIME.json and returns its path. */
    Path write() throws IOException {
        Path folder = Path.of(System.getProperty("homeport.root", "."), "bench", "results");
        Files.createDirectories(folder);
        Path file = folder.resolve(benchmark + "-" + STAMP.format(started) + ".json");
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("benchmark", benchmark);
        content.put("started", started.toString());
        content.put("machine", machine());
        content.put("figures", figures);
        content.put("goals", goals.stream().map(Report::describe).toList());
        Files.writeString(file, JSON.writeValueAsString(content) + "\n");
        return file;
    }

    private static Map<String, Object> describe(Goal goal) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", goal.name());
        described.put("value", goal.value());
        described.put("bound", goal.bound().name());
        described.put("target", goal.target());
        described.put("met", goal.met());
        return described;
    }

    private static Map<String, Object> machine() {
        Runtime runtime = Runtime.getRuntime();
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("java", Runtime.version().toString());
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        machine.put("processors", runtime.availableProcessors());
        machine.put("maxHeapBytes", runtime.maxMemory());
        return machine;
    }
}
