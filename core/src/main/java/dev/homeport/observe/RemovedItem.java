package dev.homeport.observe;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An item that a cluster was given once and is not given any more. It is kept among the cluster's reports, under a subject of
 * its own, so that it survives a restart and every server knows it.
 *
 * @param plural of its type
 * @param objects what it was made into on the cluster, as {@code Kind} or {@code Kind/namespace}; empty when that is not known
 * @param kept Flux leaves it on the cluster on purpose
 * @param since when it was taken out of the answer
 * @param revision of the change that did so, or of a later one
 */
public record RemovedItem(String plural, String id, String objects, boolean kept, Instant since, long revision) {
    private static final String PREFIX = "removal/";
    private static final String KEPT = "Kept";
    private static final String REMOVED = "Removed";

    public String subject() {
        return PREFIX + plural + "/" + id;
    }

    public Report report(String cluster, Instant now) {
        return new Report(
                cluster,
                subject(),
                subject(),
                Verdict.WAITING,
                since,
                revision,
                "",
                objects,
                "",
                "",
                kept ? KEPT : REMOVED,
                "",
                now);
    }

    static Optional<RemovedItem> of(Report report) {
        if (!report.subject().startsWith(PREFIX) || !report.object().equals(report.subject())) {
            return Optional.empty();
        }
        List<String> parts = List.of(report.subject().substring(PREFIX.length()).split("/", 2));
        return parts.size() < 2
                ? Optional.empty()
                : Optional.of(new RemovedItem(
                        parts.get(0),
                        parts.get(1),
                        report.revision(),
                        report.reason().equals(KEPT),
                        report.at(),
                        report.resourceVersion()));
    }
}
