package dev.homeport.observe;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How far one component has come on one cluster, read from its reports.
 *
 * @param applied proof that what is asked for was applied
 * @param healthy proof that it runs
 * @param failure what went wrong, unless it was about something that is no longer asked for
 * @param last the newest report
 */
public record Progress(
        Optional<Report> applied, Optional<Report> healthy, Optional<Report> failure, Optional<Report> last) {

    public static final Progress NONE =
            new Progress(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * An annotation is copied when an event is sent, so it proves nothing alone: the artifact or chart that the event itself
     * names must be the one asked for too. And what ran before a failure does not prove that it runs again.
     *
     * @param servedSince when the cluster was first given what is asked for now, null while it has not been
     */
    public static Progress of(Wanted.Part wanted, Collection<Report> reports, @Nullable Instant servedSince) {
        Optional<Report> failure =
                newest(reports, report -> report.verdict() == Verdict.FAILED && !cleared(report, reports));
        Optional<Report> removal = newest(reports, report -> report.verdict() == Verdict.GONE);
        Predicate<Report> proves = report -> confirms(report, wanted, servedSince)
                && failure.map(report::isAfter).orElse(true)
                && removal.map(report::isAfter).orElse(true);
        Optional<Report> healthy =
                newest(reports, report -> report.verdict() == Verdict.HEALTHY && proves.test(report));
        Optional<Report> applied = newest(reports, report -> report.verdict() == Verdict.APPLIED && proves.test(report))
                .filter(report -> healthy.map(report::isNewerThan).orElse(true))
                .or(() -> healthy);
        return new Progress(
                applied,
                healthy,
                failure.filter(report -> healthy.isEmpty() && !outdated(report, wanted, servedSince))
                        .map(report -> withWords(report, reports)),
                newest(reports, report -> true));
    }

    /** The newest that says it was removed, if nothing was reported as running or failing since. */
    public static Optional<Report> removal(Collection<Report> reports) {
        Optional<Report> removal = newest(reports, report -> report.verdict() == Verdict.GONE);
        return removal.filter(gone -> reports.stream()
                .filter(report -> report.verdict() == Verdict.HEALTHY
                        || report.verdict() == Verdict.APPLIED
                        || report.verdict() == Verdict.FAILED)
                .noneMatch(report -> report.isAfter(gone)));
    }

    /** A witness knows that something failed; an event about the same failure says why. */
    static Report withWords(Report failure, Collection<Report> reports) {
        if (failure.source() != Source.WITNESS) {
            return failure;
        }
        return newest(
                        reports,
                        report -> report.verdict() == Verdict.FAILED
                                && report.source() == Source.EVENT
                                && report.item().equals(failure.item())
                                && !isOver(report, reports))
                .orElse(failure);
    }

    /** A provider that has fetched an answer says nothing about the set that is made from it. */
    private static boolean isOver(Report failure, Collection<Report> reports) {
        return reports.stream()
                .filter(report -> report.verdict() == Verdict.HEALTHY
                        || report.verdict() == Verdict.FINE
                                && (report.source() == Source.WITNESS
                                        || report.object().equals(failure.object())))
                .anyMatch(report -> report.isAfter(failure));
    }

    /** A failure of an object that has said since that nothing is wrong with it. */
    static boolean cleared(Report failure, Collection<Report> reports) {
        return reports.stream()
                .anyMatch(report -> report.verdict() == Verdict.FINE
                        && report.object().equals(failure.object())
                        && report.isAfter(failure));
    }

    private static boolean confirms(Report report, Wanted.Part wanted, @Nullable Instant servedSince) {
        if (!Revisions.match(report.revision(), wanted.tag())) {
            return false;
        }
        return report.item().isEmpty()
                ? servedSince != null && !report.at().isBefore(servedSince)
                : report.item().equals(wanted.digest());
    }

    private static boolean outdated(Report failure, Wanted.Part wanted, @Nullable Instant servedSince) {
        if (servedSince == null) {
            return false;
        }
        return failure.item().isEmpty()
                ? failure.at().plusSeconds(1).isBefore(servedSince) // times of events are whole seconds
                : !failure.item().equals(wanted.digest());
    }

    private static Optional<Report> newest(Collection<Report> reports, Predicate<Report> which) {
        return reports.stream().filter(which).max(Report.AGE);
    }
}
