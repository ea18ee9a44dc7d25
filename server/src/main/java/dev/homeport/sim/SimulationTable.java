package dev.homeport.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures for people. */
public final class SimulationTable {
    private SimulationTable() {}

    static String progress(Figures figures) {
        return String.format(
                Locale.ROOT,
                "%4d s  %d polls, %d answered  %d deletions",
                figures.time().toSeconds(),
                figures.polls(),
                figures.answered(),
                figures.deletions());
    }

    public static String of(Figures figures, Map<AuditTrail.Reason, Integer> reasons) {
        List<String[]> rows = new ArrayList<>();
        row(rows, "clusters", figures.clusters());
        row(rows, "providers", figures.providers());
        row(rows, "polls", figures.polls());
        new TreeMap<>(figures.statuses())
                .forEach((status, count) -> row(rows, status > 0 ? "answered " + status : Link.words(status), count));
        measured(rows, figures.measured(), figures.time());
        new TreeMap<>(figures.faults()).forEach((why, count) -> row(rows, "refused by Flux: " + why, count));
        new TreeMap<>(figures.held()).forEach((why, count) -> row(rows, "held by a template: " + why, count));
        row(rows, "older than one before", figures.older());
        row(rows, "without a revision", figures.unmarked());
        row(rows, "events accepted", figures.events().accepted());
        row(rows, "  of these because an object changed", figures.witnessed());
        row(rows, "events refused", figures.events().refused());
        row(rows, "events lost", figures.events().lost());
        row(rows, "items added", figures.added());
        row(rows, "items changed", figures.changed());
        row(rows, "items gone", figures.deletions());
        row(rows, "  of these kept by Flux", figures.kept());
        for (AuditTrail.Reason reason : AuditTrail.Reason.values()) {
            if (reason.isGood()) {
                row(rows, "  " + words(reason), reasons.getOrDefault(reason, 0));
            }
        }
        long known = reasons.values().stream().mapToInt(n -> n).sum();
        int unexplained = reasons.entrySet().stream()
                .filter(entry -> !entry.getKey().isGood())
                .mapToInt(Map.Entry::getValue)
                .sum();
        row(rows, "unexplained deletions", known < figures.deletions() ? "not known" : unexplained);
        StringBuilder text = new StringBuilder();
        rows.forEach(row -> text.append(String.format(Locale.ROOT, "%-36s %12s%n", row[0], row[1])));
        return text.toString();
    }

    private static void measured(List<String[]> rows, Figures.Measured measured, Duration all) {
        Duration warmUp = all.minus(measured.time());
        row(rows, "measured after", String.format(Locale.ROOT, "%.0f s", warmUp.toNanos() / 1e9));
        if (measured.polls() == 0) {
            return;
        }
        row(rows, "  polls a second", String.format(Locale.ROOT, "%.0f", measured.rate()));
        row(rows, "  half within", millis(measured.medianMillis()));
        row(rows, "  99 % within", millis(measured.p99Millis()));
        row(rows, "  latest poll behind its time", millis(measured.lag().toNanos() / 1e6));
    }

    static String words(AuditTrail.Reason reason) {
        return switch (reason) {
            case CONFIRMED -> "by a confirmed change";
            case OWN_EDIT -> "by an edit of the cluster itself";
            case SHARED_EDIT -> "by an edit of a shared document";
            case EXPIRED -> "because they expired";
            case UNCONFIRMED -> "by a change that was not confirmed";
            case NONE -> "without a reason";
        };
    }

    private static void row(List<String[]> rows, String name, Object value) {
        rows.add(new String[] {name, String.valueOf(value)});
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.1f ms", millis);
    }
}
