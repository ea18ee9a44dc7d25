package dev.homeport.server.admin;

import dev.homeport.access.Powers;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.state.Finding;
import dev.homeport.server.state.Findings;
import dev.homeport.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Problems that need attention. */
final class FindingRoutes {
    private final Services services;
    private final Findings findings;

    FindingRoutes(Services services) {
        this.services = services;
        this.findings = new Findings(
                services.board(),
                services.lastSeen(),
                services.keeper()::opened,
                services.settings(),
                services.connections(),
                services.loops(),
                services.audit());
    }

    List<Route> routes() {
        Set<String> query = new HashSet<>(Paging.NAMES);
        query.addAll(Set.of("kind", "severity", "cluster"));
        return List.of(AdminRoute.read(
                "/api/v2/findings",
                "listFindings",
                "List problems that need attention, since when, and what to do about them.",
                query,
                this::list));
    }

    private Reply list(Call call) {
        Optional<Finding.Kind> kind = word(call, "kind", Finding.Kind.values(), Finding.Kind::word);
        Optional<Finding.Severity> severity = word(call, "severity", Finding.Severity.values(), Finding.Severity::word);
        Optional<String> cluster = call.query("cluster");
        Paging paging = Paging.of(call);
        Instant now = services.clock().instant();
        Snapshot snapshot = services.snapshot();
        Predicate<Finding> seen = seen(snapshot, services.rights().powers(snapshot, call.caller()));
        List<Finding> all = findings.of(snapshot, now).stream()
                .filter(seen)
                .filter(finding -> kind.isEmpty() || kind.get() == finding.kind())
                .filter(finding -> severity.isEmpty() || severity.get() == finding.severity())
                .filter(finding -> cluster.isEmpty() || cluster.get().equals(finding.cluster()))
                .toList();
        ObjectNode body = StrictJson.object().put("total", all.size());
        Map<String, Integer> counts = new TreeMap<>();
        all.forEach(finding -> counts.merge(finding.kind().word(), 1, Integer::sum));
        ObjectNode counted = body.putObject("counts");
        counts.forEach(counted::put);
        List<Finding> page = all.stream()
                .filter(finding -> finding.key().compareTo(paging.after()) > 0)
                .limit(paging.size() + 1L)
                .toList();
        ArrayNode items = body.putArray("items");
        page.stream().limit(paging.size()).forEach(finding -> items.add(json(finding, now)));
        if (page.size() > paging.size()) {
            body.put("next_page_token", Paging.token(page.get(paging.size() - 1).key()));
        }
        return Reply.json(200, body);
    }

    /** A finding without a cluster is about the whole fleet. */
    private static Predicate<Finding> seen(Snapshot snapshot, Powers powers) {
        if (powers.seesAll()) {
            return finding -> true;
        }
        BitSet clusters = SeenClusters.of(snapshot, powers);
        return finding -> {
            Integer slot = snapshot.slotOf(finding.cluster());
            return slot != null && clusters.get(slot);
        };
    }

    private static ObjectNode json(Finding finding, Instant now) {
        ObjectNode json = StrictJson.object()
                .put("kind", finding.kind().word())
                .put("severity", finding.severity().word())
                .put("subject", finding.subject())
                .put("since", finding.since().toString())
                .put(
                        "age_seconds",
                        Math.max(0, Duration.between(finding.since(), now).toSeconds()))
                .put("detail", finding.detail())
                .put("next", finding.next());
        if (finding.source() != null) {
            json.put("source", finding.source().word());
        }
        if (!finding.cluster().isEmpty()) {
            json.put("cluster", finding.cluster());
        }
        return json;
    }

    private static <T> Optional<T> word(Call call, String name, T[] values, Function<T, String> words) {
        return call.query(name)
                .map(asked -> Arrays.stream(values)
                        .filter(value -> words.apply(value).equals(asked))
                        .findFirst()
                        .orElseThrow(() -> ProblemException.invalid(
                                "/" + name,
                                "there is no such " + name,
                                "use one of " + Arrays.stream(values).map(words).collect(Collectors.joining(", ")))));
    }
}
