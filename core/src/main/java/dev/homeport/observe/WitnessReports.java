package dev.homeport.observe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What witnesses said, as reports: so one set of rules decides what a cluster runs, wherever it is known from. */
final class WitnessReports {
    /** Reasons for which an object is not ready yet, as opposed to broken. */
    private static final Set<String> WAITING =
            Set.of("DependencyNotReady", "SourceNotReady", "ArtifactFailed", "Progressing", "ProgressingWithRetry");

    private WitnessReports() {}

    /** Events and witnesses together. */
    static List<Report> added(Collection<Report> events, Collection<Witness> witnesses) {
        List<Report> all = new ArrayList<>(events);
        witnesses.forEach(witness -> of(witness).ifPresent(all::add));
        return all;
    }

    private static Optional<Report> of(Witness witness) {
        boolean component = witness.id().startsWith(Report.component(""));
        if (witness.isUnreadable() || !component && !witness.id().startsWith(Report.type(""))) {
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
