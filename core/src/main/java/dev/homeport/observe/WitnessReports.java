package dev.homeport.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What witnesses said, as reports: so one set of rules decides what a cluster runs, wherever it is known from. */
final class WitnessReports {
    /** Reasons for which an object is not ready yet, as opposed to broken. */
    private static final Set<String> WAITING =
            Set.of("DependencyNotReady", "SourceNotReady", "ArtifactFailed", "Progressing", "ProgressingWithRetry");

    private static final int MOST_FAILED = 20;

    private WitnessReports() {}

    /** Events and witnesses together, without failures of sets that a witness has found well since. */
    static List<Report> added(Collection<Report> events, Collection<Witness> witnesses) {
        Map<String, Report> seen = new LinkedHashMap<>();
        witnesses.forEach(witness -> of(witness).ifPresent(report -> seen.put(witness.id(), report)));
        List<Report> all = new ArrayList<>(seen.values());
        events.stream()
                .filter(report -> report.verdict() != Verdict.FAILED || !isWell(report, seen))
                .forEach(all::add);
        return all;
    }

    private static boolean isWell(Report failure, Map<String, Report> seen) {
        return failure.set()
                .map(name -> seen.get(WitnessQuestion.setId(name)))
                .filter(report -> report.verdict() == Verdict.FINE && report.isAfter(failure))
                .isPresent();
    }

    /** Failed sets of which nothing better is known, but for those of components: these are known by what they run. */
    static List<WitnessQuestion> failedSets(Collection<Report> events, Collection<Witness> witnesses) {
        List<Report> all = added(events, witnesses);
        return all.stream()
                .filter(report -> report.verdict() == Verdict.FAILED
                        && report.subject().startsWith(Report.type(""))
                        && !Progress.cleared(report, all))
                .sorted(Report.AGE.reversed())
                .flatMap(report -> report.set().stream())
                .distinct()
                .limit(MOST_FAILED)
                .map(WitnessQuestion::set)
                .toList();
    }

    private static Optional<Report> of(Witness witness) {
        boolean component = witness.id().startsWith(Report.component(""));
        boolean set = witness.id().startsWith(Report.type("")) || witness.id().startsWith("set/");
        if (witness.isUnreadable() || !component && !set) {
            return Optional.empty();
        }
        WitnessedObject seen = witness.seen();
        return verdict(witness, seen, component)
                .map(verdict -> new Report(
                        witness.cluster(),
                        witness.id(),
                        Report.WITNESS + witness.id(),
                        verdict,
                        witness.at(),
                        witness.resourceVersion(),
                        witness.body(),
                        seen.revision(),
                        "",
                        seen.item(),
                        witness.isAbsent() ? "NotFound" : seen.reason(),
                        message(witness, seen),
                        witness.receivedAt()));
    }

    private static Optional<Verdict> verdict(Witness witness, WitnessedObject seen, boolean component) {
        if (witness.isAbsent()) {
            return component ? Optional.of(Verdict.GONE) : Optional.empty();
        }
        if (seen.isReady() && !seen.isDeleting()) {
            return Optional.of(component ? Verdict.HEALTHY : Verdict.FINE);
        }
        return Optional.of(
                seen.ready().equals("False") && !WAITING.contains(seen.reason()) ? Verdict.FAILED : Verdict.WAITING);
    }

    private static String message(Witness witness, WitnessedObject seen) {
        if (witness.isAbsent()) {
            return "the object does not exist";
        }
        if (seen.isDeleting()) {
            return seen.kind() + " is being deleted";
        }
        return seen.kind() + (seen.isReady() ? " is ready: " : " is not ready: ") + seen.reason();
    }
}
