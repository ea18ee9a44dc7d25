package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetView;
import dev.homeport.flux.TypesAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The current state of one cluster: desired, served and reported, side by side. A pure function of the snapshot and of what
 * was observed.
 *
 * @param interval how often it polls, as its polls show
 * @param lastPollAt newest of all types
 * @param components its desired components, ordered by id
 * @param removals what is no longer served and not yet reported as removed
 * @param root the answer that names the types, where the cluster polls it
 * @param reporting whether any of its components ever reported
 * @param setsReporting whether events of its ResourceSets arrive: without them a set that fails is not seen
 * @param drained it is decommissioned and nothing of ours is left on it
 * @param left for a decommissioned cluster, what is still on it or not reported as removed, and why
 * @param released it has applied that its namespaces are no longer protected
 * @param facts which versions it runs, once reported
 * @param asked whether witnesses are enabled
 * @param probes its results of probes, ordered by probe id
 */
public record ClusterReview(
        ClusterState state,
        Duration interval,
        Optional<Instant> lastPollAt,
        List<TypeReview> types,
        Optional<TypeReview> root,
        List<ComponentReview> components,
        List<RemovalReview> removals,
        boolean reporting,
        boolean setsReporting,
        boolean drained,
        List<String> left,
        boolean released,
        Optional<ClusterFacts> facts,
        boolean asked,
        List<ProbeResult> probes) {

    /** How far clocks may differ. */
    public static final Duration SKEW = Duration.ofMinutes(10);

    /** Where what was observed is found. Records from before the cluster was made are another's. */
    public interface Observed {
        Optional<ObservedPoll> poll(String cluster, String plural);

        Collection<Report> reports(String cluster);

        /** What its witnesses said last, one for each question. */
        default Collection<Witness> witnesses(String cluster) {
            return List.of();
        }

        /** What it is to be asked besides its types and components, such as whether something removed is still there. */
        default Collection<WitnessQuestion> questions(String cluster) {
            return List.of();
        }
    }

    public static ClusterReview of(FleetView view, Document cluster, Observed observed, Instant now) {
        return new Reviewing(view, cluster, observed).review(now);
    }

    /** When it becomes silent unless it polls; never for one that has not begun. */
    public Optional<Instant> silentFrom() {
        return lastPollAt.map(at -> at.plus(PollInterval.silence(interval)));
    }

    /** What is wrong, the newest first. */
    public List<Report> failures() {
        List<Report> all = new ArrayList<>();
        root.flatMap(TypeReview::failure).ifPresent(all::add);
        types.forEach(type -> type.failure().ifPresent(all::add));
        components.forEach(component -> component.progress().failure().ifPresent(all::add));
        all.sort(Report.AGE.reversed());
        return all;
    }

    /** From where the state is known. */
    public Source source() {
        return switch (state) {
            case FAILING -> failures().getFirst().source();
            case IN_SYNC ->
                components.stream()
                        .flatMap(component -> component.progress().healthy().stream())
                        .max(Report.AGE)
                        .map(Report::source)
                        .orElse(Source.POLL);
            case REMOVING ->
                removals.stream()
                        .filter(removal -> removal.state() == RemovalReview.State.REMOVING)
                        .map(RemovalReview::source)
                        .findFirst()
                        .orElse(Source.POLL);
            case LEAVING -> asked ? Source.WITNESS : reporting ? Source.EVENT : Source.POLL;
            default -> Source.POLL;
        };
    }

    /** What it polls and would not say if it failed, by the plurals of the types. */
    public List<String> notReporting() {
        return setsReporting
                ? List.of()
                : types.stream()
                        .filter(type -> type.poll().isPresent())
                        .map(TypeReview::plural)
                        .toList();
    }

    /** Everything it polls is what there is now. */
    public boolean isCurrent() {
        return types.stream().allMatch(type -> type.poll().isEmpty() || type.isCurrent());
    }

    /** Every desired component was reported as running. */
    public boolean isConfirmed() {
        return components.stream()
                .allMatch(component -> component.progress().healthy().isPresent());
    }

    private static final class Reviewing {
        private final FleetView view;
        private final Document cluster;
        private final @Nullable Document lifeDocument;
        private final ClusterLife life;
        private final List<Report> reports;
        private final List<Witness> said;
        private final RemovalWitnesses witnesses;
        private final Function<String, Optional<ObservedPoll>> polls;

        Reviewing(FleetView view, Document cluster, Observed observed) {
            Instant born = cluster.created().at();
            this.view = view;
            this.cluster = cluster;
            Document found = view.document(Types.CLUSTER_LIFE, cluster.id());
            this.lifeDocument = found == null || found.fault().isPresent() ? null : found;
            this.life = ClusterLife.of(lifeDocument);
            this.reports =
                    WitnessReports.added(observed.reports(cluster.id()), observed.witnesses(cluster.id())).stream()
                            .filter(report -> !report.receivedAt().isBefore(born))
                            .toList();
            this.said = observed.witnesses(cluster.id()).stream()
                    .filter(witness -> !witness.receivedAt().isBefore(born))
                    .toList();
            this.witnesses = new RemovalWitnesses(WitnessAnswer.areAsked(view) ? said : List.of());
            this.polls = plural -> observed.poll(cluster.id(), plural)
                    .filter(poll -> !poll.at().isBefore(born));
        }

        ClusterReview review(Instant now) {
            List<TypeReview> types = types();
            Optional<Instant> lastPollAt = types.stream()
                    .flatMap(type -> type.poll().stream())
                    .map(ObservedPoll::at)
                    .max(Comparator.naturalOrder());
            Optional<TypeReview> ofComponents = types.stream()
                    .filter(type -> type.plural().equals(plural(Types.PLATFORM_COMPONENT)))
                    .findFirst();
            List<ComponentReview> components =
                    ofComponents.flatMap(TypeReview::poll).isPresent() ? components(ofComponents.get()) : List.of();
            Duration interval = interval(types);
            boolean reporting =
                    reports.stream().anyMatch(report -> report.subject().startsWith(Report.component("")));
            boolean leaving = life.phase() == ClusterLife.Phase.LEAVING;
            List<RemovalReview> removals =
                    new RemovalReviews(view, cluster, reports, types, witnesses, interval, now).all();
            List<String> left = leaving ? leftovers(types, removals) : List.of();
            ClusterReview review = new ClusterReview(
                    ClusterState.NEW,
                    interval,
                    lastPollAt,
                    types,
                    polls.apply(TypesAnswer.PLURAL)
                            .map(poll -> TypeReview.root(Optional.of(poll), about(Report.type(TypesAnswer.PLURAL)))),
                    components,
                    removals,
                    reporting,
                    reports.stream().anyMatch(Report::isOfOperator),
                    leaving && left.isEmpty(),
                    left,
                    life.releasing() && released(types),
                    ClusterFacts.of(said),
                    WitnessAnswer.areAsked(view),
                    ProbeResult.ofAsked(view, cluster, said));
            return review.with(state(review, now));
        }

        /**
         * The interval that the cluster has shown, not the one in its document: until it has fetched a changed one, it is not
         * late by it. Of several the one that allows most counts.
         */
        private Duration interval(List<TypeReview> types) {
            String document =
                    cluster.fault().isPresent() ? "" : Cluster.of(cluster).pollInterval();
            Instant latest = Instant.MIN;
            Duration interval = PollInterval.of(document);
            for (TypeReview type : types) {
                ObservedPoll poll = type.poll().orElse(null);
                if (poll != null) {
                    Duration shown = PollInterval.of(document, poll.every());
                    Instant late = poll.at().plus(PollInterval.silence(shown));
                    if (late.isAfter(latest)) {
                        latest = late;
                        interval = shown;
                    }
                }
            }
            return interval;
        }

        private ClusterState state(ClusterReview review, Instant now) {
            if (life.phase() == ClusterLife.Phase.DETACHED) {
                return ClusterState.DETACHED;
            }
            if (life.phase() == ClusterLife.Phase.LEAVING) {
                return ClusterState.LEAVING;
            }
            if (review.lastPollAt().isEmpty()) {
                return ClusterState.NEW;
            }
            if (review.silentFrom().orElseThrow().isBefore(now)) {
                return ClusterState.SILENT;
            }
            if (life.paused().isPresent()) {
                return ClusterState.PAUSED;
            }
            if (!review.failures().isEmpty()) {
                return ClusterState.FAILING;
            }
            if (review.components().stream()
                    .anyMatch(component ->
                            component.served() && component.progress().healthy().isEmpty())) {
                return ClusterState.APPLYING;
            }
            if (review.removals().stream().anyMatch(removal -> removal.state() == RemovalReview.State.REMOVING)) {
                return ClusterState.REMOVING;
            }
            return review.isCurrent() ? ClusterState.IN_SYNC : ClusterState.PENDING;
        }

        private List<TypeReview> types() {
            List<TypeReview> types = new ArrayList<>();
            for (String name : view.types().itemTypes()) {
                TypeDefinition type = view.types().named(name).orElseThrow();
                types.add(TypeReview.of(
                        view, cluster, type, polls.apply(type.plural()), about(Report.type(type.plural()))));
            }
            return types;
        }

        private List<ComponentReview> components(TypeReview type) {
            Map<String, List<Report>> byComponent = new HashMap<>();
            for (Report report : reports) {
                byComponent
                        .computeIfAbsent(report.subject(), s -> new ArrayList<>())
                        .add(report);
            }
            Instant servedSince = type.isCurrent() ? type.poll().orElseThrow().since() : null;
            List<ComponentReview> components = new ArrayList<>();
            Wanted.of(view, cluster).components().forEach((id, wanted) -> {
                List<Report> own = byComponent.getOrDefault(Report.component(id), List.of());
                Progress progress = Progress.of(wanted, own, servedSince);
                components.add(new ComponentReview(
                        id, wanted, servedSince != null || progress.applied().isPresent(), progress));
            });
            return components;
        }

        private List<Report> about(String subject) {
            return reports.stream()
                    .filter(report -> report.subject().equals(subject))
                    .toList();
        }

        private List<String> leftovers(List<TypeReview> types, List<RemovalReview> removals) {
            Instant since =
                    lifeDocument == null ? Instant.MAX : lifeDocument.updated().at();
            return new Leftovers(view, cluster, life, reports, witnesses, since).of(types, removals);
        }

        private boolean released(List<TypeReview> types) {
            String plural = plural(Types.NAMESPACE);
            Optional<TypeReview> namespaces =
                    types.stream().filter(type -> type.plural().equals(plural)).findFirst();
            if (namespaces.isEmpty() || !namespaces.get().isCurrent()) {
                return false;
            }
            Instant since = namespaces.get().poll().orElseThrow().since();
            return about(Report.type(plural)).stream()
                    .anyMatch(report -> report.verdict() == Verdict.FINE
                            && report.reason().equals("ApplySucceeded")
                            && !report.receivedAt().isBefore(since)
                            && !report.at().plus(SKEW).isBefore(since));
        }

        private String plural(String type) {
            return view.types().named(type).map(TypeDefinition::plural).orElse("");
        }
    }

    private ClusterReview with(ClusterState next) {
        return new ClusterReview(
                next,
                interval,
                lastPollAt,
                types,
                root,
                components,
                removals,
                reporting,
                setsReporting,
                drained,
                left,
                released,
                facts,
                asked,
                probes);
    }
}
