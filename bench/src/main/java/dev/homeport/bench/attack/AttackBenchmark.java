package dev.homeport.bench.attack;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Floods and half requests against a real server, with honest polls beside them. Each attack has a server of its own. */
public final class AttackBenchmark implements Benchmark {
    private static final int WARM_UP_SECONDS = 10;
    private static final int QUIET_SECONDS = 15;
    private static final int RECOVERY_SECONDS = 90;

    /** How much more than before counts as back: caches fill, and compilers start threads. */
    private static final long MORE_DESCRIPTORS = 20;

    private static final long MORE_THREADS = 10;
    private static final double MORE_HEAP_MIB = 24;

    /** A quiet poll may take less than a timer's error. */
    private static final double LEAST_QUIET_P99 = 1;

    private record Run(
            HonestPolls.Result quiet,
            HonestPolls.Result attacked,
            long attacks,
            AttackTarget.Held before,
            AttackTarget.@Nullable Held after,
            double recovered) {}

    @Override
    public String name() {
        return "attack";
    }

    @Override
    public String summary() {
        return "honest polls beside floods and half requests (--seconds N --only NAME --nat; attacks: " + Attack.names()
                + ")";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        AttackOptions options = AttackOptions.parse(args);
        Table table = new Table(
                "attack",
                "count",
                "polls",
                "failed",
                "quiet p99 ms",
                "p99 ms",
                "fds",
                "threads",
                "heap MiB",
                "back after s");
        for (Attack attack : options.attacks()) {
            System.err.println(attack.title() + ": " + attack.description());
            Run run = run(attack, options);
            AttackTarget.Held after = run.after();
            table.row(
                    attack.title(),
                    run.attacks(),
                    run.attacked().sent(),
                    run.attacked().failed(),
                    "%.1f".formatted(run.quiet().p99()),
                    "%.1f".formatted(run.attacked().p99()),
                    run.before().descriptors() + " > " + (after == null ? "-" : after.descriptors()),
                    run.before().threads() + " > " + (after == null ? "-" : after.threads()),
                    "%.0f > %s"
                            .formatted(run.before().heapMiB(), after == null ? "-" : "%.0f".formatted(after.heapMiB())),
                    after == null ? "ended" : "%.0f".formatted(run.recovered()));
            run.attacked().failures().forEach((how, count) -> System.err.println("  " + count + " polls: " + how));
            report(report, attack, run);
        }
        System.out.print(table);
    }

    private static void report(Report report, Attack attack, Run run) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("attack", attack.title());
        row.put("count", run.attacks());
        row.put("polls", run.attacked().sent());
        row.put("polls_failed", run.attacked().failed());
        row.put("quiet_p50_ms", run.quiet().p50());
        row.put("quiet_p99_ms", run.quiet().p99());
        row.put("p50_ms", run.attacked().p50());
        row.put("p99_ms", run.attacked().p99());
        row.put("recovered_seconds", run.recovered());
        report.figures(row);
        String name = attack.title().replace('-', '_');
        report.goal(name + "_polls_not_answered", run.attacked().failed(), Goal.Bound.AT_MOST, 0);
        double quiet = Math.max(LEAST_QUIET_P99, run.quiet().p99());
        report.goal(name + "_p99_over_quiet", run.attacked().p99() / quiet, Goal.Bound.AT_MOST, 5);
        report.goal(name + "_back_after_s", run.recovered(), Goal.Bound.AT_MOST, RECOVERY_SECONDS);
    }

    private static Run run(Attack attack, AttackOptions options) throws Exception {
        Path folder = Files.createTempDirectory("homeport-bench-attack");
        try (AttackTarget target = AttackTarget.start(folder, attack == Attack.TLS)) {
            new HonestPolls(target).run(WARM_UP_SECONDS);
            HonestPolls.Result quiet = new HonestPolls(target).run(QUIET_SECONDS);
            if (quiet.failed() > 0) {
                throw new IllegalStateException("polls fail without any attack: " + quiet.failures());
            }
            AttackTarget.Held before = target.held();
            Load load = attack.load(target, Attacker.at(options.nat()));
            AtomicReference<@Nullable Throwable> trouble = new AtomicReference<>();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
            Thread attacking = Thread.ofPlatform().name("attacker").start(() -> {
                try {
                    load.run(until);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException | Error e) {
                    trouble.set(e);
                }
            });
            HonestPolls.Result attacked = new HonestPolls(target).run(options.seconds());
            attacking.join();
            if (trouble.get() != null) {
                throw new IllegalStateException("the attack itself failed", trouble.get());
            }
            long ended = System.nanoTime();
            AttackTarget.Held after = target.isAlive() ? recovered(target, before, ended) : null;
            double seconds = (System.nanoTime() - ended) / 1e9;
            boolean back = after != null && isBack(before, after);
            return new Run(quiet, attacked, load.count(), before, after, back ? seconds : Double.POSITIVE_INFINITY);
        } finally {
            delete(folder);
        }
    }

    private static AttackTarget.Held recovered(AttackTarget target, AttackTarget.Held before, long ended)
            throws IOException, InterruptedException {
        AttackTarget.Held now = target.held();
        while (!isBack(before, now) && System.nanoTime() - ended < TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS)) {
            Thread.sleep(1000);
            now = target.held();
        }
        return now;
    }

    private static boolean isBack(AttackTarget.Held before, AttackTarget.Held now) {
        return now.descriptors() <= before.descriptors() + MORE_DESCRIPTORS
                && now.threads() <= before.threads() + MORE_THREADS
                && now.heapMiB() <= before.heapMiB() + MORE_HEAP_MIB;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
