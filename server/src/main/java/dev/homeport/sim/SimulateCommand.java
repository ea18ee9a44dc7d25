package dev.homeport.sim;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.ServerAddress;
import dev.homeport.api.ServerUnreachable;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code homeport simulate}: a simulated fleet against a real server. */
@Command(
        name = "homeport simulate",
        description = {
            "Poll a server like a fleet of clusters with Flux, and count what they would delete.",
            "",
            "Every cluster has a token of its own, keeps the inventory that Flux would keep and reports as Flux does. "
                    + "At the end, or after Ctrl-C, each deletion is looked up in the server's audit: the exit code is 1 if "
                    + "no commit explains one of them."
        },
        sortOptions = false,
        footer = {
            "",
            "The admin token is read from HOMEPORT_TOKEN, or from --token-file. The clusters are made on the server, "
                    + "with ids that begin with the prefix, unless --identities names a file of an earlier run.",
            "",
            "Examples:",
            "  HOMEPORT_TOKEN=… homeport simulate --clusters 1000 --rate 200 --for 2m",
            "  homeport simulate --clusters 100000 --rate 2000 --for 10m --token-file token"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    private static final Duration REPORT = Duration.ofMinutes(1);
    private static final int MOST_SHOWN = 20;
    private static final int MOST_POLLS = 1_000_000;

    @Option(names = "--server", paramLabel = "URL", description = "The admin plane; default ${DEFAULT-VALUE}.")
    URI server = URI.create("http://127.0.0.1:8080");

    @Option(names = "--poll-url", paramLabel = "URL", description = "The poll plane; default ${DEFAULT-VALUE}.")
    URI poll = URI.create("http://127.0.0.1:8081");

    @Option(
            names = "--certificate-authority",
            paramLabel = "FILE",
            description = "PEM file with the certificate authority to trust.")
    @Nullable
    Path authority;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the admin token.")
    @Nullable
    Path tokenFile;

    @Option(names = "--clusters", paramLabel = "N", description = "Number of clusters; default ${DEFAULT-VALUE}.")
    int clusters = 100;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Total polls per second; default: each provider polls every --poll.")
    double rate;

    @Option(names = "--poll", paramLabel = "TIME", description = "Time between polls; default ${DEFAULT-VALUE}.")
    String interval = "1m";

    @Option(names = "--for", paramLabel = "TIME", description = "Duration; default ${DEFAULT-VALUE}.")
    String time = "1m";

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "Warm-up: clusters start slowly and nothing is measured; default ${DEFAULT-VALUE}, and"
                    + " at most half of --for.")
    String warmUp = "10s";

    @Option(names = "--prefix", paramLabel = "WORD", description = "Ids begin with it; default ${DEFAULT-VALUE}.")
    String prefix = "sim";

    @Option(
            names = "--identities",
            paramLabel = "FILE",
            description = "File with clusters and their tokens: read if it exists, written if not.")
    @Nullable
    Path identities;

    @Option(
            names = "--max-retry-delay",
            paramLabel = "TIME",
            description = "The operator's flag of that name; default ${DEFAULT-VALUE}.")
    String maxRetryDelay = "15m";

    @Option(
            names = "--shape",
            paramLabel = "WORD",
            description =
                    "What is polled: sets, which a template checks first, or flat, as flux-resourceset has it, where an"
                            + " empty list deletes everything. Default ${DEFAULT-VALUE}.")
    String shape = "sets";

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The providers' filter.limit, after which flat inputs are cut; default ${DEFAULT-VALUE}.")
    int limit = Settings.LIMIT;

    @Option(names = "--no-events", description = "Poll, but report nothing.")
    boolean noEvents;

    @Option(names = "--seed", paramLabel = "N", description = "Random seed.")
    long seed = 1;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        try {
            return simulate(err);
        } catch (ApiProblem e) {
            err.println(e.getMessage());
            if (!e.next().isEmpty()) {
                err.println(e.next());
            }
            return 1;
        } catch (ServerUnreachable e) {
            err.println(e.getMessage());
            err.println("start one with `homeport serve`, or name it with --server and --poll-url");
            return 1;
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
            err.println(e.getMessage());
            return 2;
        }
    }

    private static URI address(String option, URI given) {
        boolean http = "http".equals(given.getScheme()) || "https".equals(given.getScheme());
        if (!http || given.getHost() == null) {
            throw new IllegalArgumentException(
                    option + " is an address such as http://127.0.0.1:8080, and not " + given);
        }
        return given;
    }

    private int simulate(PrintWriter err) throws Exception {
        Duration length = positive("--for", Times.parse(time));
        Settings.Pace pace = pace();
        address("--poll-url", poll);
        if (authority != null && !Files.isReadable(authority)) {
            throw new IllegalArgumentException(authority + " cannot be read");
        }
        if (clusters < 1 || limit < 1 || limit > Settings.LIMIT) {
            throw new IllegalArgumentException(
                    "--clusters must be at least 1, and --limit from 1 to " + Settings.LIMIT + ", as Flux has it");
        }
        HomeportClient admin = new HomeportClient(new ServerAddress(
                address("--server", server), Optional.of(token()), Optional.ofNullable(authority), line -> {}));
        Settings settings = Settings.of(poll, pace)
                .trusting(Optional.ofNullable(authority))
                .retryingWithin(positive("--max-retry-delay", Times.parse(maxRetryDelay)))
                .shaped(shape(), limit)
                .warmingUp(shorter(Times.parse(warmUp), length.dividedBy(2)));
        List<Identity> fleet = fleet(admin, err);
        err.println(fleet.size() + " clusters poll " + poll + " for " + time);
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch reported = new CountDownLatch(1);
        Thread onCtrlC = new Thread(() -> stopAndReport(stop, reported));
        try (Simulation simulation = Simulation.start(settings, fleet, seed)) {
            Runtime.getRuntime().addShutdownHook(onCtrlC);
            long end = System.nanoTime() + length.toNanos();
            for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
                if (stop.await(Math.min(left, PROGRESS.toNanos()), TimeUnit.NANOSECONDS)) {
                    break;
                }
                err.println(SimulationTable.progress(simulation.figures()));
            }
            simulation.stop();
            return finish(simulation, admin, err);
        } finally {
            reported.countDown();
            if (stop.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(onCtrlC);
            }
        }
    }

    private Settings.Pace pace() {
        if (Double.isNaN(rate) || rate < 0 || rate > MOST_POLLS) {
            throw new IllegalArgumentException("--rate is a number of polls a second, at most " + MOST_POLLS);
        }
        return rate > 0
                ? new Settings.Pace.Rate(rate)
                : new Settings.Pace.Every(positive("--poll", Times.parse(interval)));
    }

    private static Duration positive(String option, Duration time) {
        if (time.isZero()) {
            throw new IllegalArgumentException(option + " is a time of more than nothing, such as 30s");
        }
        return time;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Settings.Shape shape() {
        return switch (shape) {
            case "sets" -> Settings.Shape.SETS;
            case "flat" -> Settings.Shape.FLAT;
            default -> throw new IllegalArgumentException("--shape is sets or flat");
        };
    }

    /** A run that is interrupted reports what it has measured so far. */
    private static void stopAndReport(CountDownLatch stop, CountDownLatch reported) {
        stop.countDown();
        try {
            if (!reported.await(REPORT.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("the deletions could not be looked up in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int finish(Simulation simulation, HomeportClient admin, PrintWriter err) {
        List<Deletion> deletions = simulation.deletions();
        PrintWriter out = spec.commandLine().getOut();
        Map<AuditTrail.Reason, Integer> reasons = new TreeMap<>();
        RuntimeException unknown = null;
        try {
            reasons.putAll(reasons(deletions, admin, out));
        } catch (ApiProblem | ServerUnreachable e) {
            unknown = e;
        }
        out.print(SimulationTable.of(simulation.figures(), reasons));
        out.flush();
        if (unknown != null) {
            err.println("what explains the deletions is not known, because the audit cannot be read: "
                    + unknown.getMessage());
            return 1;
        }
        if (simulation.settled() == 0) {
            err.println("no cluster ever fetched its whole desired state, so this run says nothing about the server;"
                    + " look at the answers above, and whether " + poll + " is its poll plane");
            return 1;
        }
        return reasons.keySet().stream().allMatch(AuditTrail.Reason::isGood) ? 0 : 1;
    }

    private static Map<AuditTrail.Reason, Integer> reasons(
            List<Deletion> deletions, HomeportClient admin, PrintWriter out) {
        Map<AuditTrail.Reason, Integer> counts = new TreeMap<>();
        if (deletions.isEmpty()) {
            return counts;
        }
        List<AuditTrail.Reason> reasons = AuditTrail.of(deletions, admin).reasons(deletions);
        int shown = 0;
        for (int i = 0; i < reasons.size(); i++) {
            Deletion deletion = deletions.get(i);
            counts.merge(reasons.get(i), 1, Integer::sum);
            if (!reasons.get(i).isGood() && shown++ < MOST_SHOWN) {
                out.println("unexplained: cluster/" + deletion.cluster() + " lost " + deletion.plural() + "/"
                        + deletion.id() + " between revisions " + deletion.from() + " and " + deletion.to() + " "
                        + SimulationTable.words(reasons.get(i)));
            }
        }
        if (shown > MOST_SHOWN) {
            out.println("unexplained: " + (shown - MOST_SHOWN) + " more");
        }
        return counts;
    }

    private List<Identity> fleet(HomeportClient admin, PrintWriter err) throws InterruptedException {
        if (identities != null && Files.exists(identities)) {
            List<Identity> known = IdentityFile.read(identities);
            if (known.size() < clusters) {
                throw new IllegalArgumentException(identities + " has " + known.size() + " clusters and not " + clusters
                        + ": name another file to create new ones");
            }
            return reporting(known.subList(0, clusters));
        }
        err.println("making " + clusters + " clusters with ids that begin with " + prefix + "…");
        List<Identity> made = new Enrolment(admin, poll.toString(), prefix).enrol(clusters, done -> {
            if (done % 1000 == 0) {
                err.println(done + " have their tokens");
            }
        });
        if (identities != null) {
            IdentityFile.write(identities, made);
        }
        return reporting(made);
    }

    private List<Identity> reporting(List<Identity> fleet) {
        return noEvents
                ? fleet.stream()
                        .map(one -> new Identity(one.id(), one.dns(), one.token(), ""))
                        .toList()
                : fleet;
    }

    private String token() throws java.io.IOException {
        if (tokenFile != null && !Files.isReadable(tokenFile)) {
            throw new IllegalArgumentException(tokenFile + " cannot be read");
        }
        String given = tokenFile == null ? System.getenv("HOMEPORT_TOKEN") : Files.readString(tokenFile);
        if (given == null || given.isBlank()) {
            throw new IllegalArgumentException("no admin token: set HOMEPORT_TOKEN or --token-file");
        }
        return given.strip();
    }
}
