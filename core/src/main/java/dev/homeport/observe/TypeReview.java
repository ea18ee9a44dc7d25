package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Rendered;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * The desired and the served answer of a cluster for one type.
 *
 * @param plural the type as in the poll's path
 * @param desired digest of the current answer, in the shape that the cluster polls; empty without an answer
 * @param hold why polls are held
 * @param poll its last poll
 * @param fullness how much of what Flux can take the answer uses, 1 being all of it
 * @param failure what it reported to be wrong with the type's provider or set of objects
 * @param applied the report of its witness that the type's set of objects is ready; empty otherwise
 */
public record TypeReview(
        String plural,
        String desired,
        Optional<String> hold,
        Optional<ObservedPoll> poll,
        double fullness,
        Optional<Report> failure,
        Optional<Report> applied) {

    static final int OK = 200;

    static TypeReview of(
            FleetView view,
            Document cluster,
            TypeDefinition type,
            Optional<ObservedPoll> poll,
            Collection<Report> reports) {
        String plural = type.plural();
        return switch (Answers.of(view, cluster, type)) {
            case Answer.Hold hold ->
                new TypeReview(plural, "", Optional.of(hold.reason()), poll, 0, Optional.empty(), Optional.empty());
            case Answer.Detached _ ->
                new TypeReview(plural, "", Optional.empty(), poll, 0, Optional.empty(), Optional.empty());
            case Answer.Served served -> {
                boolean set = poll.map(last -> last.shape().equals(word(WireShape.SET)))
                        .orElse(true);
                Rendered rendered = Rendering.render(served, set ? WireShape.SET : WireShape.FLAT);
                Optional<Report> witness = reports.stream()
                        .filter(report -> report.source() == Source.WITNESS)
                        .findFirst();
                Optional<ObservedPoll> present =
                        poll.filter(last -> last.digest().equals(rendered.digest()));
                yield new TypeReview(
                        plural,
                        rendered.digest(),
                        Optional.empty(),
                        poll,
                        fullness(cluster, served),
                        failure(reports, poll, present),
                        witness.filter(report -> report.verdict() == Verdict.FINE));
            }
        };
    }

    /** The answer with the types and their templates; what there is of it now is not compared here. */
    static TypeReview root(Optional<ObservedPoll> poll, Collection<Report> reports) {
        Optional<ObservedPoll> present = poll.filter(last -> last.status() == OK);
        return new TypeReview(
                TypesAnswer.PLURAL,
                present.map(ObservedPoll::digest).orElse(""),
                Optional.empty(),
                poll,
                0,
                failure(reports, poll, present),
                Optional.empty());
    }

    /** True when its last poll was given what there is now. */
    public boolean isCurrent() {
        return poll.map(last -> last.status() == OK && last.digest().equals(desired))
                .orElse(false);
    }

    /** Whichever is nearer to its limit: the number of inputs or the bytes. */
    private static double fullness(Document cluster, Answer.Served served) {
        double bytes = (double) Rendering.size(served.cluster(), served.items()) / Rendering.MAX_BYTES;
        double items = (double) served.items().size() / Cluster.of(cluster).inputLimit();
        return Math.max(bytes, items);
    }

    /**
     * The newest failure that still means something. A provider that polls again sends no event when nothing changed, so the
     * poll itself clears it; a set of objects is judged again with each answer, and by its witness at any time.
     */
    private static Optional<Report> failure(
            Collection<Report> reports, Optional<ObservedPoll> poll, Optional<ObservedPoll> present) {
        return reports.stream()
                .filter(report -> report.verdict() == Verdict.FAILED && !Progress.cleared(report, reports))
                .filter(report -> !report.object().startsWith("ResourceSetInputProvider/")
                        || poll.map(last -> last.status() != OK || !last.at().isAfter(report.receivedAt()))
                                .orElse(true))
                .filter(report -> report.source() == Source.WITNESS
                        || present.map(last -> !last.since().isAfter(report.receivedAt()))
                                .orElse(true))
                .max(Report.AGE)
                .map(report -> Progress.withWords(report, reports));
    }

    private static String word(WireShape shape) {
        return shape.name().toLowerCase(Locale.ROOT);
    }
}
