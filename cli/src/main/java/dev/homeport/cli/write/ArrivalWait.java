package dev.homeport.cli.write;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Ages;
import dev.homeport.cli.select.FilterWords;
import dev.homeport.cli.select.Kind;
import dev.homeport.cli.select.SelectOptions;
import dev.homeport.cli.terminal.ExitCodes;
import dev.homeport.cli.terminal.ExitException;
import dev.homeport.cli.terminal.Pause;
import dev.homeport.cli.terminal.ProcessEnvironment;
import dev.homeport.cli.terminal.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Waits until the clusters of a plan have polled since the commit and report that all is well. Homeport cannot push, and knows
 * nothing of what became of it on a cluster that does not report: there the poll is the end.
 */
public final class ArrivalWait {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int NAMED = 25;

    /** States in which nothing is on its way any more. */
    private static final Set<String> ENDS = Set.of("in-sync", "paused", "leaving", "detached");

    private final HomeportClient client;
    private final ProcessEnvironment process;
    private final Duration timeout;

    public ArrivalWait(HomeportClient client, ProcessEnvironment process, Duration timeout) {
        this.client = client;
        this.process = process;
        this.timeout = timeout;
    }

    public void on(JsonNode plan, JsonNode committed) {
        Set<String> names = new TreeSet<>();
        boolean complete = true;
        for (JsonNode group : plan.path("groups")) {
            group.path("clusters").forEach(name -> names.add(name.asString("")));
            complete &=
                    group.path("clusters").size() == group.path("cluster_count").asInt(0);
        }
        if (names.isEmpty()) {
            return;
        }
        Instant since = Ages.time(committed
                        .path("at")
                        .asString(committed.path("meta").path("updated_at").asString("")))
                .orElse(process.clock().instant());
        Optional<Set<String>> wanted = complete ? Optional.of(names) : Optional.empty();
        long end = System.nanoTime() + timeout.toNanos();
        try (Progress progress = new Progress(process)) {
            while (true) {
                Waiting waiting = waiting(since, wanted);
                if (waiting.late().isEmpty()) {
                    process.err().println(waiting.end());
                    return;
                }
                if (System.nanoTime() > end) {
                    throw new ExitException(
                            ExitCodes.TIMED_OUT,
                            waiting.late().size() + " of " + PlanText.count(waiting.of(), "cluster")
                                    + " did not get there within " + Ages.shortly(timeout) + ": "
                                    + String.join(
                                            ", ",
                                            waiting.late().stream().limit(5).toList()));
                }
                progress.say(waiting.now());
                if (!Pause.of(LOOK)) {
                    return;
                }
            }
        }
    }

    /**
     * Where they are.
     *
     * @param late clusters that have not arrived yet, each with its state
     * @param failing how many of those report a failure
     * @param mute how many have polled and report nothing
     */
    private record Waiting(List<String> late, int of, int polled, long failing, long mute) {
        String now() {
            return polled + " of " + PlanText.count(of, "cluster") + " polled, " + (of - late.size()) + " well"
                    + (failing > 0 ? ", " + failing + " failing" : "");
        }

        String end() {
            String who = of == 1 ? "the cluster has polled" : "all " + of + " clusters have polled";
            if (mute == 0) {
                return who + (of == 1 ? " and reports" : " and report") + " that all is well";
            }
            return who + (of == 1 ? ", and" : ", " + mute + " of them") + (mute == 1 ? " reports" : " report")
                    + " nothing of what became of it";
        }
    }

    /** Without names, every cluster counts that is served at all: the plan names only the first hundred. */
    private Waiting waiting(Instant since, Optional<Set<String>> wanted) {
        List<JsonNode> clusters = new ArrayList<>();
        if (wanted.isPresent() && wanted.get().size() <= NAMED) {
            String filter = String.join(
                    " OR ",
                    wanted.get().stream()
                            .map(id -> "id = " + FilterWords.quoted(id))
                            .toList());
            clusters.addAll(SelectOptions.all(
                    client,
                    Kind.CLUSTER,
                    new SelectOptions.Query(Optional.empty(), Optional.of(filter)),
                    Optional.empty()));
        } else {
            SelectOptions.all(
                            client,
                            Kind.CLUSTER,
                            new SelectOptions.Query(Optional.empty(), Optional.empty()),
                            Optional.empty())
                    .stream()
                    .filter(cluster -> wanted.map(
                                    names -> names.contains(cluster.path("id").asString("")))
                            .orElseGet(() -> !cluster.path("status")
                                    .path("phase")
                                    .asString("")
                                    .equals("detached")))
                    .forEach(clusters::add);
        }
        List<String> late = new ArrayList<>();
        int polled = 0;
        long failing = 0;
        long mute = 0;
        for (JsonNode cluster : clusters) {
            JsonNode status = cluster.path("status");
            String state = status.path("state").asString("");
            boolean asked = Ages.time(status.path("last_polled_at").asString(""))
                    .map(last -> !last.isBefore(since))
                    .orElse(false);
            boolean reports = status.path("reporting").asBoolean(false);
            polled += asked ? 1 : 0;
            failing += state.equals("failing") ? 1 : 0;
            mute += asked && !reports ? 1 : 0;
            if (!asked || reports && !ENDS.contains(state)) {
                late.add(cluster.path("id").asString("") + " (" + state + ")");
            }
        }
        return new Waiting(late, clusters.size(), polled, failing, mute);
    }
}
