package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Judges the removals on one cluster. Being given an answer without an item proves nothing: the cluster has to show it. */
final class RemovalReviews {
    /** Longer than a cluster is asked the same before it is asked again. */
    private static final Duration UNANSWERED = WitnessPlan.AGAIN.multipliedBy(2);

    private final FleetView view;
    private final List<Report> reports;
    private final List<TypeReview> types;
    private final Duration interval;
    private final Instant now;
    private final RemovalWitnesses witnesses;
    private final GivenItems given;

    RemovalReviews(
            FleetView view,
            Document cluster,
            List<Report> reports,
            List<TypeReview> types,
            RemovalWitnesses witnesses,
            Duration interval,
            Instant now) {
        this.view = view;
        this.witnesses = witnesses;
        this.given = new GivenItems(view, cluster);
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
                .filter(item -> !given.contains(item))
                .sorted(Comparator.comparing(RemovedItem::subject))
                .forEach(item -> review(item).ifPresent(all::add));
        return all;
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
                    Source.POLL));
        }
        return witnesses.isActive() && !RemovalWitnesses.questions(item).isEmpty()
                ? byWitnesses(item, fetched.get())
                : byEvents(item, fetched.get());
    }

    /** An event says that a controller is done; a witness, that the object does not exist. */
    private Optional<RemovalReview> byWitnesses(RemovedItem item, Instant fetched) {
        if (witnesses.isGone(item)) {
            return Optional.empty();
        }
        Optional<WitnessedObject> seen = witnesses.present(item);
        boolean kept = seen.map(object -> item.kept() && !object.isDeleting()).orElse(item.kept());
        if (kept) {
            return Optional.of(kept(item, fetched, seen.isPresent() ? Source.WITNESS : Source.POLL));
        }
        if (seen.isPresent()) {
            return Optional.of(removing(item, fetched, RemovalWitnesses.reason(seen.get()), Source.WITNESS));
        }
        // A missing answer is not waited for forever.
        return Optional.of(
                fetched.plus(UNANSWERED).isAfter(now)
                        ? removing(item, fetched, "the cluster has not shown that it is gone", Source.POLL)
                        : unconfirmed(item, fetched));
    }

    private static RemovalReview removing(RemovedItem item, Instant fetched, String reason, Source from) {
        return new RemovalReview(item, RemovalReview.State.REMOVING, Optional.of(fetched), reason, from);
    }

    private static RemovalReview kept(RemovedItem item, Instant fetched, Source from) {
        return new RemovalReview(
                item,
                RemovalReview.State.KEPT,
                Optional.of(fetched),
                "it stays on the cluster, and Homeport no longer manages it",
                from);
    }

    private static RemovalReview unconfirmed(RemovedItem item, Instant fetched) {
        return new RemovalReview(
                item,
                RemovalReview.State.UNCONFIRMED,
                Optional.of(fetched),
                "removed from the answer, not confirmed by the cluster",
                Source.POLL);
    }

    private Optional<RemovalReview> byEvents(RemovedItem item, Instant fetched) {
        if (isReportedGone(item)) {
            return Optional.empty();
        }
        if (item.kept()) {
            return Optional.of(kept(item, fetched, Source.POLL));
        }
        Optional<Report> failure = aboutComponent(item).stream()
                .filter(report -> report.verdict() == Verdict.FAILED
                        && !report.receivedAt().isBefore(fetched))
                .max(Report.AGE);
        if (failure.isPresent()) {
            return Optional.of(removing(item, fetched, failure.get().message().strip(), Source.EVENT));
        }
        // An event may be lost, so it is not waited for forever.
        boolean waits = !aboutComponent(item).isEmpty()
                && fetched.plus(PollInterval.silence(interval)).isAfter(now);
        return Optional.of(
                waits
                        ? removing(item, fetched, "the cluster has not reported it as removed", Source.EVENT)
                        : unconfirmed(item, fetched));
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
