package dev.homeport.bench;

import dev.homeport.bench.access.AccessBenchmark;
import dev.homeport.bench.attack.AttackBenchmark;
import dev.homeport.bench.cli.CliBenchmark;
import dev.homeport.bench.core.CoreBenchmark;
import dev.homeport.bench.events.EventsBenchmark;
import dev.homeport.bench.faults.FaultsBenchmark;
import dev.homeport.bench.maps.MapsBenchmark;
import dev.homeport.bench.poll.PollBenchmark;
import dev.homeport.bench.zoo.ZooBenchmark;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs one benchmark by name, or lists them all. */
public final class Main {
    /** Every benchmark there is. */
    private static final List<Benchmark> BENCHMARKS = List.of(
            new AttackBenchmark(),
            new CoreBenchmark(),
            new EventsBenchmark(),
            new FaultsBenchmark(),
            new MapsBenchmark(),
            new AccessBenchmark(),
            new CliBenchmark(),
            new PollBenchmark(),
            new ZooBenchmark());

    private Main() {}

    public static void main(String[] args) throws Exception {
        System.exit(run(args));
    }

    private static int run(String[] args) throws Exception {
        if (args.length == 0) {
            list();
            return 0;
        }
        Optional<Benchmark> chosen =
                BENCHMARKS.stream().filter(b -> b.name().equals(args[0])).findFirst();
        if (chosen.isEmpty()) {
            System.err.println("no benchmark is called " + args[0] + "; without a name they are listed");
            return 2;
        }
        return run(chosen.get(), Arrays.asList(args).subList(1, args.length));
    }

    private static int run(Benchmark benchmark, List<String> args) throws Exception {
        Report report = new Report(benchmark.name());
        benchmark.run(args, report);
        if (report.isEmpty()) {
            return 0;
        }
        finish(report);
        return report.allGoalsMet() ? 0 : 1;
    }

    private static void finish(Report report) throws IOException {
        report.goals().forEach(goal -> System.out.println(goal.line()));
        System.out.println("results: " + report.write());
    }

    private static void list() {
        Table table = new Table("benchmark", "what it measures");
        BENCHMARKS.forEach(b -> table.row(b.name(), b.summary()));
        System.out.print(table);
    }
}
