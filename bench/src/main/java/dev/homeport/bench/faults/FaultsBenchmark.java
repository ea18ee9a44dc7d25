package dev.homeport.bench.faults;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Report;
import dev.homeport.sim.Enrolment;
import dev.homeport.sim.Identity;
import dev.homeport.sim.SimulationTable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code ./bench/run faults}: what a simulated fleet loses while its server is killed; and with a bug planted, for proof. */
public final class FaultsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "faults";
    }

    @Override
    public String summary() {
        return "a simulated fleet while its server is killed and things are removed: what is deleted without a reason";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        FaultOptions options = FaultOptions.parse(args);
        List<String> homeport = List.of(
                Path.of(System.getProperty("homeport.root", "."), "homeport").toString());
        Path data = Files.createTempDirectory("homeport-faults");
        try (KilledServer server = KilledServer.start(homeport, data.resolve("data"))) {
            System.err.println("making " + options.clusters() + " clusters…");
            FaultRun run = new FaultRun(server, enrol(server, options.clusters()), options);
            for (boolean planted : List.of(false, true)) {
                System.err.println(planted ? "the same with a bug planted…" : "a run with kills…");
                report(run.run(planted), planted, options, report);
            }
        } finally {
            delete(data);
        }
    }

    static List<Identity> enrol(KilledServer server, int clusters) throws InterruptedException {
        HomeportClient admin = new HomeportClient(new ServerAddress(
                URI.create(server.admin()), Optional.of(server.token()), Optional.empty(), line -> {}));
        return new Enrolment(admin, server.poll(), "sim").enrol(clusters, done -> {});
    }

    private static void report(FaultRun.Result result, boolean planted, FaultOptions options, Report report) {
        String run = planted ? "planted bug: " : "";
        System.out.println(planted ? "with a bug planted" : "with kills");
        System.out.print(SimulationTable.of(result.figures(), result.reasons()));
        System.out.printf(
                "%d kills, down for %d s; %d writes, %d of them removals%n",
                result.kills(), result.down().toSeconds(), result.writes(), result.removals());
        result.unseen().forEach(removal -> System.out.println("not seen: " + removal));
        report.figures(Map.of(
                "planted", planted,
                "clusters", options.clusters(),
                "polls", result.figures().polls(),
                "answered_outside_kills", result.answered(),
                "kills", result.kills(),
                "writes", result.writes(),
                "removals", result.removals(),
                "deletions", result.figures().deletions(),
                "unexplained", result.unexplained()));
        report.goal(
                run + "unexplained deletions",
                result.unexplained(),
                planted ? Goal.Bound.AT_LEAST : Goal.Bound.AT_MOST,
                planted ? 1 : 0);
        if (!planted) {
            report.goal("removals not seen", result.unseen().size(), Goal.Bound.AT_MOST, 0);
            report.goal("share of polls answered outside the kills", result.answered(), Goal.Bound.AT_LEAST, 0.95);
            report.goal("writes", result.writes(), Goal.Bound.AT_LEAST, Math.min(200, options.writes()));
            report.goal("confirmed removals", result.confirmed(), Goal.Bound.AT_LEAST, options.removals());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
