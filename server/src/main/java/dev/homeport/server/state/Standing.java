package dev.homeport.server.state;

import dev.homeport.document.Document;
import dev.homeport.fleet.Cluster;
import dev.homeport.observe.ClusterFacts;
import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.ProbeResult;
import dev.homeport.observe.RemovalReview;
import dev.homeport.observe.Report;
import dev.homeport.observe.Source;
import dev.homeport.observe.TypeReview;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The health of one cluster, kept small: there may be a hundred thousand.
 *
 * @param source from where the state is known
 * @param since when that began, as far as it is known
 * @param hold why its polls of some type are held
 * @param fullness of its fullest answer
 * @param behindSince its last poll before its desired state changed
 * @param applied every desired component was reported as applied
 * @param unconfirmedSince when the state was served that it has not reported as running
 * @param failure the last failure that it reported
 * @param left for a decommissioned cluster, what is still on it or not reported as removed, and why
 * @param removals what is no longer served and not yet reported as removed
 * @param operator version of its Flux Operator, from the header of its polls
 * @param notReporting plurals of types whose sets do not report failures
 * @param facts which versions it runs, as its FluxReport says
 * @param declared version of Kubernetes in its document, where it runs another
 * @param badProbes probes that it fails, or cannot answer
 */
public record Standing(
        String cluster,
        String environment,
        ClusterState state,
        Source source,
        Instant since,
        Duration interval,
        @Nullable Instant lastPollAt,
        @Nullable Instant silentFrom,
        @Nullable String hold,
        double fullness,
        @Nullable Instant behindSince,
        boolean applied,
        @Nullable Instant unconfirmedSince,
        @Nullable String failure,
        @Nullable String operator,
        boolean reporting,
        List<String> notReporting,
        boolean drained,
        List<String> left,
        List<RemovalReview> removals,
        @Nullable ClusterFacts facts,
        @Nullable String declared,
        List<ProbeResult> badProbes) {

    private static final String OPERATOR = "flux-operator/";

    static Standing of(Document cluster, ClusterReview review, Instant lifeSince) {
        Optional<Instant> behind = review.types().stream()
                .filter(type -> type.poll().isPresent() && !type.isCurrent())
                .map(type -> type.poll().orElseThrow().at())
                .min(Comparator.naturalOrder());
        Optional<Instant> unconfirmed = review.components().stream()
                        .anyMatch(component -> component.served()
                                && component.progress().healthy().isEmpty())
                ? review.types().stream()
                        .filter(TypeReview::isCurrent)
                        .flatMap(type -> type.poll().stream())
                        .map(ObservedPoll::since)
                        .max(Comparator.naturalOrder())
                : Optional.empty();
        String failure =
                review.failures().stream().findFirst().map(Report::message).orElse(null);
        return new Standing(
                cluster.id(),
                cluster.fault().isPresent() ? "" : Cluster.of(cluster).environment(),
                review.state(),
                review.source(),
                since(cluster, review, lifeSince, behind, unconfirmed),
                review.interval(),
                review.lastPollAt().orElse(null),
                review.silentFrom().orElse(null),
                review.types().stream()
                        .flatMap(type -> type.hold().stream())
                        .findFirst()
                        .orElse(null),
                review.types().stream().mapToDouble(TypeReview::fullness).max().orElse(0),
                behind.orElse(null),
                review.components().stream()
                        .allMatch(component -> component.progress().applied().isPresent()),
                unconfirmed.orElse(null),
                failure,
                operator(review),
                review.reporting(),
                review.notReporting(),
                review.drained(),
                review.left(),
                review.removals(),
                review.facts().filter(ClusterFacts::present).orElse(null),
                declared(cluster, review),
                review.probes().stream()
                        .filter(probe -> probe.outcome().isBad())
                        .toList());
    }

    private static Optional<Instant> removingSince(ClusterReview review) {
        return review.removals().stream()
                .filter(removal -> removal.state() == RemovalReview.State.REMOVING)
                .flatMap(removal -> removal.fetchedAt().stream())
                .min(Comparator.naturalOrder());
    }

    private static @Nullable String declared(Document cluster, ClusterReview review) {
        String declared = cluster.fault().isPresent() ? "" : Cluster.of(cluster).kubernetesVersion();
        return review.facts()
                        .filter(facts -> review.asked() && facts.runsOtherThan(declared))
                        .isPresent()
                ? declared
                : null;
    }

    private static @Nullable String operator(ClusterReview review) {
        return review.types().stream()
                .flatMap(type -> type.poll().stream())
                .max(Comparator.comparing(ObservedPoll::at))
                .map(ObservedPoll::client)
                .filter(client -> client.matches(OPERATOR + "[A-Za-z0-9.+-]{1,60}"))
                .map(client -> client.substring(OPERATOR.length()))
                .orElse(null);
    }

    private static Instant since(
            Document cluster,
            ClusterReview review,
            Instant lifeSince,
            Optional<Instant> behind,
            Optional<Instant> unconfirmed) {
        Instant born = cluster.created().at();
        return switch (review.state()) {
            case DETACHED, LEAVING, PAUSED -> lifeSince;
            case NEW -> born;
            case SILENT -> review.lastPollAt().orElse(born);
            case FAILING ->
                review.failures().stream()
                        .map(Report::at)
                        .min(Comparator.naturalOrder())
                        .orElse(born);
            case APPLYING -> unconfirmed.orElse(born);
            case REMOVING -> removingSince(review).orElse(born);
            case PENDING -> behind.orElse(born);
            case IN_SYNC ->
                review.components().stream()
                        .flatMap(component -> component.progress().healthy().stream())
                        .map(Report::at)
                        .max(Comparator.naturalOrder())
                        .or(review::lastPollAt)
                        .orElse(born);
        };
    }
}
