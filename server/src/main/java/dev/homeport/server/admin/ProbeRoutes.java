package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.ProbeResult;
import dev.homeport.observe.ProbeResult.Outcome;
import dev.homeport.observe.Source;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Results of probes. */
final class ProbeRoutes {
    private final Services services;

    ProbeRoutes(Services services) {
        this.services = services;
    }

    List<Route> routes() {
        Set<String> query = new HashSet<>(Paging.NAMES);
        query.add("outcome");
        return List.of(AdminRoute.read(
                "/api/v2/probes/{id}/results",
                "listProbeResults",
                "Lists what each cluster answered to a probe, with all answers summed up.",
                query,
                this::results));
    }

    private Reply results(Call call) {
        AsOf.Present state = AsOf.present(call, services);
        Document probe = state.document(state.type("probes"), call.parameter("id"));
        Optional<Outcome> outcome = call.query("outcome").map(ProbeRoutes::outcome);
        Paging paging = Paging.of(call);
        ProbeSummary summary = new ProbeSummary();
        ObjectNode body = StrictJson.object().put("probe", probe.id());
        ArrayNode items = body.putArray("items");
        String last = "";
        boolean more = false;
        WorkBudget budget = WorkBudget.current();
        for (Document cluster : state.all(Types.CLUSTER)) {
            budget.spend(WorkBudget.LOOK);
            ProbeResult result = services.board().probe(cluster, probe.id()).orElse(null);
            if (result == null) {
                continue;
            }
            Optional<ClusterState> known = services.board().stateOf(cluster.id());
            if (known.filter(ClusterState.SILENT::equals).isPresent()) {
                summary.addSilent();
            } else {
                summary.add(result);
            }
            if (cluster.id().compareTo(paging.after()) > 0
                    && (outcome.isEmpty() || outcome.get() == result.outcome())) {
                if (items.size() < paging.size()) {
                    ObjectNode item = json(result).put("cluster", cluster.id());
                    known.ifPresent(now -> item.put("state", now.word()));
                    items.add(item);
                    last = cluster.id();
                } else {
                    more = true;
                }
            }
        }
        summary.print(body);
        if (more) {
            body.put("next_page_token", Paging.token(last));
        }
        return Reply.json(200, body);
    }

    private static Outcome outcome(String word) {
        return Arrays.stream(Outcome.values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElseThrow(() -> ProblemException.invalid(
                        "/outcome",
                        "there is no such outcome",
                        "use one of "
                                + Arrays.stream(Outcome.values())
                                        .map(Outcome::word)
                                        .collect(Collectors.joining(", "))));
    }

    static ObjectNode json(ProbeResult result) {
        ObjectNode json =
                StrictJson.object().put("outcome", result.outcome().word()).put("source", Source.WITNESS.word());
        if (!result.answer().isEmpty()) {
            json.put("answer", result.answer());
        }
        result.at().ifPresent(at -> json.put("at", at.toString()));
        if (!result.probe().title().isEmpty()) {
            json.put("title", result.probe().title());
        }
        return json;
    }
}
