package dev.homeport.cli;

import dev.homeport.api.HomeportClient;
import dev.homeport.cli.output.Ages;
import dev.homeport.cli.terminal.Progress;
import dev.homeport.cli.terminal.Surroundings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Waits until the clusters of a plan have polled since the commit. Homeport cannot push, so this is when it arrives. */
final class PollWait {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int NAMED = 25;

    private final HomeportClient client;
    private final Surroundings surroundings;
    private final Duration timeout;

    PollWait(HomeportClient client, Surroundings surroundings, Duration timeout) {
        this.client = client;
        this.surroundings = surroundings;
        this.timeout = timeout;
    }

    void on(JsonNode plan, JsonNode committed) {
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
                .orElse(surroundings.clock().instant());
        Optional<Set<String>> wanted = complete ? Optional.of(names) : Optional.empty();
        long end = System.nanoTime() + timeout.toNanos();
        try (Progress progress = new Progress(surroundings)) {
            while (true) {
                Waiting waiting = waiting(since, wanted);
                if (waiting.names().isEmpty()) {
                    surroundings
                            .err()
                            .println(
                                    waiting.of() == 1
                                            ? "the cluster has polled"
                                            : "all " + waiting.of() + " clusters have polled");
                    return;
                }
                if (System.nanoTime() > end) {
                    throw new Ended(
                            ExitCodes.TIMED_OUT,
                            waiting.names().size() + " of " + PlanText.count(waiting.of(), "cluster")
                                    + " did not poll within "
                                    + Ages.shortly(timeout) + ": "
                                    + String.join(
                                            ", ",
                                            waiting.names().stream().limit(5).toList()));
                }
                progress.say(waiting.of() - waiting.names().size() + " of " + PlanText.count(waiting.of(), "cluster")
                        + " polled");
                if (!Pause.of(LOOK)) {
                    return;
                }
            }
        }
    }

    private record Waiting(List<String> names, int of) {}

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
        List<String> late = clusters.stream()
                .filter(cluster -> Ages.time(
                                cluster.path("status").path("last_polled_at").asString(""))
                        .map(last -> last.isBefore(since))
                        .orElse(true))
                .map(cluster -> cluster.path("id").asString(""))
                .toList();
        return new Waiting(late, clusters.size());
    }
}
