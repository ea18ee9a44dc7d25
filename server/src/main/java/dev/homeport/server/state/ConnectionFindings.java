package dev.homeport.server.state;

import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.ConnectionLimits.Plane;
import dev.homeport.server.http.ConnectionLimits.Reason;
import dev.homeport.server.http.Episode;
import dev.homeport.server.state.Finding.Kind;
import dev.homeport.server.state.Finding.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Limits of connections and memory that were reached lately. */
record ConnectionFindings(ConnectionLimits limits) {
    List<Finding> of(Instant now) {
        List<Finding> all = new ArrayList<>();
        for (Plane plane : limits.planes()) {
            plane.reached(Reason.CONNECTIONS, now).ifPresent(reached -> all.add(total(plane, reached.since())));
            plane.reached(Reason.ADDRESS, now).ifPresent(reached -> all.add(address(plane, reached)));
        }
        memory("requests", limits.bytes(), now, all);
        memory("answers", limits.answers(), now, all);
        return all;
    }

    private static Finding total(Plane plane, Instant since) {
        return new Finding(
                Kind.CONNECTION_LIMIT_REACHED,
                Severity.WARNING,
                "",
                plane.name() + "/connections",
                since,
                "the " + plane.name() + " plane reached its limit of " + plane.limit() + " connections: "
                        + plane.evicted() + " idle connections were closed and " + plane.refused(Reason.CONNECTIONS)
                        + " new ones refused since the start",
                "find out who holds them (homeport_connections, ss -tn); if they are yours, raise max_connections and"
                        + " the limit of open files");
    }

    private Finding address(Plane plane, Episode.Reached reached) {
        return new Finding(
                Kind.CONNECTION_LIMIT_REACHED,
                Severity.WARNING,
                "",
                plane.name() + "/address",
                reached.since(),
                reached.address() + " reached the limit of " + limits.perAddress()
                        + " connections from one address on the " + plane.name() + " plane",
                "if many clusters share that address, raise max_connections_per_address; if it is a proxy, add it to"
                        + " trusted_proxies");
    }

    private static void memory(String kind, ByteBudget budget, Instant now, List<Finding> all) {
        budget.exhaustedSince(now)
                .ifPresent(since -> all.add(new Finding(
                        Kind.REQUEST_MEMORY_EXHAUSTED,
                        Severity.WARNING,
                        "",
                        kind,
                        since,
                        "the memory for " + kind + " on their way (" + budget.limit() / 1024 / 1024
                                + " MiB) was used up: " + budget.refused() + " were refused since the start",
                        "find out who sends or reads so slowly; if they are yours, raise request_memory_mib or the"
                                + " heap")));
    }
}
