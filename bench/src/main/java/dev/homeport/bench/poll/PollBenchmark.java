package dev.homeport.bench.poll;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Report;
import dev.homeport.bench.poll.PollOptions.Section;
import java.util.List;

/** The poll plane of a real server. */
public final class PollBenchmark implements Benchmark {
    @Override
    public String name() {
        return "poll";
    }

    @Override
    public String summary() {
        return "a poll's cost beside nginx, its time under load, memory and start of a real server";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        PollOptions options = PollOptions.parse(args);
        try (PollFleet fleet = new PollFleet(options)) {
            if (options.has(Section.KEEPALIVE) || options.has(Section.CONNECT) || options.has(Section.TLS)) {
                new Peers(options, fleet, report).compare();
            }
            if (options.has(Section.PATTERNS)) {
                new Patterns(options, fleet, report).compare();
            }
            FleetSizes sizes = new FleetSizes(options, fleet, report);
            if (options.has(Section.LATENCY)) {
                sizes.latency();
            } else if (options.has(Section.MEMORY)) {
                sizes.memoryAlone();
            }
            if (options.has(Section.FLAT)) {
                sizes.flat();
            }
            if (options.has(Section.START)) {
                sizes.start();
            }
            if (options.has(Section.COMMIT)) {
                sizes.largeCommit();
            }
        }
    }
}
