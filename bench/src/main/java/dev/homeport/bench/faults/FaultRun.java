package dev.homeport.bench.faults;

import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.sim.AuditTrail;
import dev.homeport.sim.Deletion;
import dev.homeport.sim.Figures;
import dev.homeport.sim.Identity;
import dev.homeport.sim.Settings;
import dev.homeport.sim.Simulation;
import dev.homeport.sim.Timeline;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One fleet, one server that is killed at random, and changes, for a while. */
public final class FaultRun {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration LAST_POLLS = Duration.ofSeconds(90);

    /** The component that is lost when the bug is planted; every cluster has it. */
    private static final String LOST = "sim-part-0";

    private final KilledServer server;
    private final List<Identity> fleet;
    private final FaultOptions options;
    private int rounds;

    public FaultRun(KilledServer server, List<Identity> fleet, FaultOptions options) {
        this.server = server;
        this.fleet = fleet;
        this.options = options;
    }

    /**
     * What a run came to.
     *
     * @param answered the share of polls, outside the kills, that was answered
     * @param unseen removals that their clusters did not hear of
     */
    public record Result(
            Figures figures,
            Map<AuditTrail.Reason, Integer> reasons,
            double answered,
            int kills,
            Duration down,
            int writes,
            int removals,
            List<String> unseen) {
        int confirmed() {
            return reasons.getOrDefault(AuditTrail.Reason.CONFIRMED, 0);
        }

        public int unexplained() {
            return reasons.entrySet().stream()
                    .filter(reason -> !reason.getKey().isGood())
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

    /** @param planted whether a bug is planted between the clusters and the server, for the second half of the time */
    public Result run(boolean planted) throws IOException, InterruptedException {
        HomeportClient admin = new HomeportClient(new ServerAddress(
                URI.create(server.admin()), Optional.of(server.token()), Optional.empty(), line -> {}));
        try (SkippingProxy proxy = new SkippingProxy(server.poll(), LOST)) {
            Settings settings = Settings.of(
                    URI.create(planted ? proxy.address() : server.poll()), new Settings.Pace.Rate(options.rate()));
            try (Simulation simulation = Simulation.start(settings, fleet, options.seed());
                    ExecutorService others = Executors.newFixedThreadPool(2)) {
                settle(simulation);
                int killedBefore = server.outages().size();
                Edits edits = new Edits(admin, options, rounds++);
                Future<Void> editing = others.submit(() -> {
                    edit(edits);
                    return null;
                });
                Future<Void> killing = others.submit(() -> {
                    kill();
                    return null;
                });
                Thread.sleep(options.time().dividedBy(2));
                if (planted) {
                    proxy.lose();
                }
                join(killing);
                join(editing);
                List<String> unseen = unseen(simulation, edits);
                simulation.stop();
                return result(simulation, admin, edits, unseen, server.outages().size() - killedBefore);
            }
        }
    }

    /** Until every cluster has an inventory that could be taken away. */
    private void settle(Simulation simulation) throws InterruptedException {
        while (simulation.settled() < fleet.size()) {
            Thread.sleep(LOOK);
        }
    }

    private void edit(Edits edits) throws InterruptedException {
        long begun = System.nanoTime();
        for (int i = 0; i < options.writes(); i++) {
            long due = begun + options.time().toNanos() * i / options.writes();
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            edits.next(i);
        }
    }

    private void kill() throws IOException, InterruptedException {
        Random random = new Random(options.seed());
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < options.kills(); i++) {
            times.add(random.nextDouble());
        }
        times.sort(Comparator.naturalOrder());
        long begun = System.nanoTime();
        for (double time : times) {
            long due = begun + (long) (time * options.time().toNanos());
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            server.killAndStart();
        }
        Thread.sleep(Duration.ofNanos(Math.max(0, begun + options.time().toNanos() - System.nanoTime())));
    }

    private static void join(Future<Void> work) throws InterruptedException {
        try {
            work.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Clusters hear of a change when they poll next, so they are given the time for that. */
    private List<String> unseen(Simulation simulation, Edits edits) throws InterruptedException {
        long until = System.nanoTime() + LAST_POLLS.toNanos();
        List<String> unseen = stillThere(simulation, edits);
        while (!unseen.isEmpty() && System.nanoTime() < until) {
            Thread.sleep(LOOK);
            unseen = stillThere(simulation, edits);
        }
        return unseen;
    }

    private static List<String> stillThere(Simulation simulation, Edits edits) {
        return edits.removals().stream()
                .filter(removal -> simulation
                        .inventory(removal.cluster(), removal.plural())
                        .map(ids -> ids.contains(removal.id()))
                        .orElse(true))
                .map(Edits.Removal::toString)
                .toList();
    }

    private Result result(Simulation simulation, HomeportClient admin, Edits edits, List<String> unseen, int kills) {
        List<Deletion> deletions = simulation.deletions();
        Map<AuditTrail.Reason, Integer> reasons = new TreeMap<>();
        AuditTrail.of(deletions, admin).reasons(deletions).forEach(reason -> reasons.merge(reason, 1, Integer::sum));
        List<Timeline.Span> outages = server.outages();
        return new Result(
                simulation.figures(),
                reasons,
                simulation.timeline().answeredOutside(outages),
                kills,
                outages.subList(outages.size() - kills, outages.size()).stream()
                        .map(span -> Duration.ofNanos(span.to() - span.from()))
                        .reduce(Duration.ZERO, Duration::plus),
                edits.done(),
                edits.removals().size(),
                unseen);
    }
}
