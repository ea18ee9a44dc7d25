package dev.homeport.observe;

import java.util.Set;

/** What an event says about the object it is of. */
public enum Verdict {
    /** It runs, and it was waited for until it was well. */
    HEALTHY,
    /** It was applied; whether it is well is not known yet. */
    APPLIED,
    /** It waits for something else. */
    WAITING,
    /** It failed. A rollback counts as failed: the requested release is not installed. */
    FAILED,
    /** It was removed, with all that belonged to it. */
    GONE,
    /** Nothing is wrong with it, but it runs nothing itself, as a source or a set of objects. */
    FINE;

    private static final Set<String> RELEASED = Set.of("InstallSucceeded", "UpgradeSucceeded", "TestSucceeded");

    /** Kinds by name and reasons as Flux 2.9 and its operator send them; unknown ones do not count as failures. */
    public static Verdict of(FluxEvent event) {
        if (event.severity().equals("error") || event.reason().startsWith("Rollback")) {
            return FAILED;
        }
        if (event.reason().equals("DependencyNotReady")) {
            return WAITING;
        }
        return switch (event.kind()) {
            case "HelmRelease" -> ofRelease(event);
            case "Kustomization" -> ofKustomization(event);
            default -> FINE;
        };
    }

    private static Verdict ofRelease(FluxEvent event) {
        if (RELEASED.contains(event.reason())) {
            return HEALTHY;
        }
        return event.reason().equals("UninstallSucceeded") ? GONE : WAITING;
    }

    private static Verdict ofKustomization(FluxEvent event) {
        String message = event.message().strip();
        if (message.startsWith("Reconciliation finished") || message.startsWith("Health check passed")) {
            return HEALTHY;
        }
        boolean deletions = !message.isEmpty()
                && message.lines()
                        .allMatch(line -> line.isBlank() || line.strip().endsWith(" deleted"));
        if (deletions) {
            return event.reason().equals("ReconciliationSucceeded") ? GONE : APPLIED;
        }
        return event.reason().equals("Progressing") ? APPLIED : WAITING;
    }
}
