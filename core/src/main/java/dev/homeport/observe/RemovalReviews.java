package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges the removals on one cluster. Being given an answer without an item proves nothing: the cluster has to show it. */
final class RemovalReviews {
    private final FleetView view;
    private final Document cluster;
    private final List<Report> reports;
    private final List<TypeReview> types;
    private final Duration interval;
    private final Instant now;
    private final Map<String, Set<String>> present = new HashMap<>();

    RemovalReviews(
            FleetView view,
            Document cluster,
            List<Report> reports,
            List<TypeReview> types,
            Duration interval,
            Instant now) {
        this.view = view;
        this.cluster = cluster;
        this.reports = reports;
        this.types = types;
        this.interval = interval;
        this.now = now;
    }

    /** What is not known to be gone, ordered by type and id. */
    List<RemovalReview> all() {
        List<RemovalReview> all = new ArrayList<>();
        reports.stream()
                .flatMap(report -> RemovedItem.of(report).stream())
                .filter(item -> !isPresent(item))
                .sorted(Comparator.comparing(RemovedItem::subject))
                .forEach(item -> review(item).ifPresent(all::add));
        return all;
    }

    /** It was given back since, or cannot be told. */
    private boolean isPresent(RemovedItem item) {
        return present.computeIfAbsent(item.plural(), this::ids).contains(item.id());
    }

    private Set<String> ids(String plural) {
        return view.types()
                .withPlural(plural)
                .map(type -> Answers.of(view, cluster, type))
                .filter(Answer.Served.class::isInstance)
                .map(Answer.Served.class::cast)
                .map(served -> served.items().stream()
                        .filter(Item::enabled)
                        .map(Item::id)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    private Optional<RemovalReview> review(RemovedItem item) {
        Optional<Instant> fetched = types.stream()
                .filter(type -> type.plural().equals(item.plural()))
                .filter(type -> type.isCurrent()
                        || type.poll()
                                .filter(poll -> poll.status() == TypeReview.OK && poll.revision() >= item.revision())
                                .isPresent())
                .map(type -> type.poll().orElseThrow().since())
                .map(since -> since.isBefore(item.since()) ? item.since() : since)
                .findFirst();
        if (fetched.isEmpty()) {
            return Optional.of(new RemovalReview(
                    item,
                    RemovalReview.State.PENDING,
                    fetched,
                    "the cluster has not fetched the answer without it",
                    "poll"));
        }
        if (isReportedGone(item)) {
            return Optional.empty();
        }
        if (item.kept()) {
            return Optional.of(new RemovalReview(
                    item,
                    RemovalReview.State.KEPT,
                    fetched,
                    "it stays on the cluster, and Homeport no longer manages it",
                    "poll"));
        }
        return Optional.of(byEvents(item, fetched.get()));
    }

    private RemovalReview byEvents(RemovedItem item, Instant fetched) {
        Optional<Report> failure = aboutComponent(item).stream()
                .filter(report -> report.verdict() == Verdict.FAILED
                        && !report.receivedAt().isBefore(fetched))
                .max(Report.AGE);
        if (failure.isPresent()) {
            return new RemovalReview(
                    item,
                    RemovalReview.State.REMOVING,
                    Optional.of(fetched),
                    failure.get().message().strip(),
                    "event");
        }
        // An event may be lost, so that it is not waited for for ever.
        boolean waits = !aboutComponent(item).isEmpty()
                && fetched.plus(PollInterval.silence(interval)).isAfter(now);
        return new RemovalReview(
                item,
                waits ? RemovalReview.State.REMOVING : RemovalReview.State.UNCONFIRMED,
                Optional.of(fetched),
                waits
                        ? "the cluster has not reported it as removed"
                        : "removed from the answer, not confirmed by the cluster",
                waits ? "event" : "poll");
    }

    private boolean isReportedGone(RemovedItem item) {
        return Progress.removal(aboutComponent(item))
                .filter(gone -> !gone.receivedAt().isBefore(item.since()))
                .isPresent();
    }

    private List<Report> aboutComponent(RemovedItem item) {
        boolean isComponent = view.types()
                .withPlural(item.plural())
                .map(TypeDefinition::name)
                .filter(Types.PLATFORM_COMPONENT::equals)
                .isPresent();
        String subject = Report.component(item.id());
        return isComponent
                ? reports.stream()
                        .filter(report -> report.subject().equals(subject))
                        .toList()
                : List.of();
    }
}
