package dev.homeport.e2e.stack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Flags that Flux's programs of one cluster get beyond those that every cluster here needs.
 *
 * @param flags by program
 */
public record FluxOptions(Map<String, List<String>> flags) {
    /** The limits of a cluster in production: an equal event within five minutes is dropped. */
    public static final FluxOptions DEFAULT_EVENT_LIMIT = new FluxOptions(Map.of());

    /** An equal event is dropped for a second only, so that tests need not make each event different. */
    public static final FluxOptions SHORT_EVENT_LIMIT =
            DEFAULT_EVENT_LIMIT.with("notification-controller", "--rate-limit-interval=1s");

    /** As a FluxInstance with {@code multitenant: true} has it: who names no account has the rights of the own namespace's. */
    public static final FluxOptions LOCKDOWN = SHORT_EVENT_LIMIT
            .with("notification-controller", "--no-cross-namespace-refs=true")
            .with(
                    "kustomize-controller",
                    "--no-cross-namespace-refs=true",
                    "--no-remote-bases=true",
                    "--default-service-account=default")
            .with("helm-controller", "--no-cross-namespace-refs=true", "--default-service-account=default");

    public FluxOptions with(String program, String... more) {
        Map<String, List<String>> all = new TreeMap<>(flags);
        List<String> own = new ArrayList<>(of(program));
        own.addAll(Arrays.asList(more));
        all.put(program, List.copyOf(own));
        return new FluxOptions(Map.copyOf(all));
    }

    List<String> of(String program) {
        return flags.getOrDefault(program, List.of());
    }
}
