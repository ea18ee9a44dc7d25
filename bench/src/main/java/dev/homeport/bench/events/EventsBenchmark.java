package dev.homeport.bench.events;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Signed events beside polls. What a poll costs beside events is what both cost together less what the events cost alone, so
 * three runs alternate: polls, events, both.
 */
public final class EventsBenchmark implements Benchmark {
    private static final int POLLS_PER_SECOND = 1_000;
    private static final int EVENTS_PER_SECOND = 2_000;
    private static final int CLUSTERS = 1_000;
    private static final int WITNESSING_CLUSTERS = 10_000;
    private static final int ROUNDS = 3;
    private static final String SHORT = "--short";
    private static final String WITNESSES = "--witnesses";

    @Override
    public String name() {
        return "events";
    }

    @Override
    public String summary() {
        return "signed events beside polls: none lost, and what a poll costs beside them (--short for a quick look;"
                + " --witnesses: events and polls of the sets that look at objects, of 10,000 clusters)";
    }

    private record Run(
            double cpu, double pollP50, double pollP99, int pollsFailed, double eventP99, int eventsFailed) {}

    @Override
    public void run(List<String> args, Report report) throws Exception {
        if (!Set.of(SHORT, WITNESSES).containsAll(args)) {
            throw new IllegalArgumentException("options: " + SHORT + ", " + WITNESSES);
        }
        boolean shortened = args.contains(SHORT);
        boolean witnesses = args.contains(WITNESSES);
        int clusters = witnesses && !shortened ? WITNESSING_CLUSTERS : CLUSTERS;
        int seconds = shortened ? 4 : 20;
        Path data = Files.createTempDirectory("homeport-bench-events");
        try (EventFleet fleet = EventFleet.start(data, clusters, witnesses)) {
            run(fleet, POLLS_PER_SECOND, EVENTS_PER_SECOND, shortened ? 15 : 60); // for the compilers to be done
            List<Run> polls = new ArrayList<>();
            List<Run> events = new ArrayList<>();
            List<Run> both = new ArrayList<>();
            double lost = 0;
            for (int round = 0; round < ROUNDS; round++) {
                polls.add(run(fleet, POLLS_PER_SECOND, 0, seconds));
                events.add(run(fleet, 0, EVENTS_PER_SECOND, seconds));
                double before = told(fleet);
                both.add(run(fleet, POLLS_PER_SECOND, EVENTS_PER_SECOND, seconds));
                lost += EVENTS_PER_SECOND * (double) seconds - (told(fleet) - before);
            }
            Run together = sum(both);
            report(report, seconds * ROUNDS, sum(polls), sum(events), together);
            report.goal("events_not_answered_202", together.eventsFailed(), Goal.Bound.AT_MOST, 0);
            report.goal("events_lost", lost, Goal.Bound.AT_MOST, 0);
            report.goal("clusters_not_in_sync", clusters - fleet.inState("in-sync"), Goal.Bound.AT_MOST, 0);
            report.goal("polls_failed", together.pollsFailed(), Goal.Bound.AT_MOST, 0);
            double ratio = (together.cpu() - sum(events).cpu()) / sum(polls).cpu();
            report.goal("cpu_per_poll_beside_events_over_alone", ratio, Goal.Bound.AT_MOST, 1.1);
            // A machine that does other work gives any number; one like this is no measurement.
            report.goal("cpu_per_poll_can_be_believed", ratio, Goal.Bound.AT_LEAST, 0.5);
            report.goal("poll_p99_ms_beside_events", together.pollP99(), Goal.Bound.AT_MOST, 5);
        } finally {
            delete(data);
        }
    }

    /** Costs and failures of all, and the worst of the times. */
    private static Run sum(List<Run> runs) {
        return runs.stream()
                .reduce((one, other) -> new Run(
                        one.cpu() + other.cpu(),
                        Math.max(one.pollP50(), other.pollP50()),
                        Math.max(one.pollP99(), other.pollP99()),
                        one.pollsFailed() + other.pollsFailed(),
                        Math.max(one.eventP99(), other.eventP99()),
                        one.eventsFailed() + other.eventsFailed()))
                .orElseThrow();
    }

    private static double told(EventFleet fleet) throws IOException, InterruptedException {
        return fleet.counted("accepted") + fleet.counted("duplicate");
    }

    private static Run run(EventFleet fleet, int pollsPerSecond, int eventsPerSecond, int seconds) throws Exception {
        try (Wire wire = new Wire(fleet.poll())) {
            return run(fleet, wire, pollsPerSecond, eventsPerSecond, seconds);
        }
    }

    private static Run run(EventFleet fleet, Wire wire, int pollsPerSecond, int eventsPerSecond, int seconds)
            throws Exception {
        PacedLoad polls = new PacedLoad(pollsPerSecond, seconds, number -> wire.once(fleet.pollOf(number), 200));
        PacedLoad events = new PacedLoad(eventsPerSecond, seconds, number -> wire.again(fleet.eventOf(number), 202));
        double cpu = fleet.cpuSeconds();
        Thread polling = Thread.ofPlatform().start(polls);
        Thread posting = Thread.ofPlatform().start(events);
        polling.join();
        posting.join();
        return new Run(
                fleet.cpuSeconds() - cpu,
                pollsPerSecond == 0 ? 0 : polls.millis(0.5),
                pollsPerSecond == 0 ? 0 : polls.millis(0.99),
                polls.failed(),
                eventsPerSecond == 0 ? 0 : events.millis(0.99),
                events.failed());
    }

    private static void report(Report report, int seconds, Run polls, Run events, Run both) {
        Table table = new Table("run", "server cpu s", "poll p50 ms", "poll p99 ms", "event p99 ms", "failed");
        Map<String, Run> runs = new LinkedHashMap<>();
        runs.put("polls", polls);
        runs.put("events", events);
        runs.put("both", both);
        runs.forEach((name, run) -> {
            table.row(
                    name,
                    "%.2f".formatted(run.cpu()),
                    "%.2f".formatted(run.pollP50()),
                    "%.2f".formatted(run.pollP99()),
                    "%.2f".formatted(run.eventP99()),
                    run.pollsFailed() + run.eventsFailed());
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("run", name);
            row.put("seconds", seconds);
            row.put("server_cpu_seconds", run.cpu());
            row.put("poll_p50_ms", run.pollP50());
            row.put("poll_p99_ms", run.pollP99());
            row.put("event_p99_ms", run.eventP99());
            row.put("polls_failed", run.pollsFailed());
            row.put("events_failed", run.eventsFailed());
            report.figures(row);
        });
        System.out.print(table);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
