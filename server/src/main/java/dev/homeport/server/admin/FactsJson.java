package dev.homeport.server.admin;

import dev.homeport.json.StrictJson;
import dev.homeport.observe.ClusterFacts;
import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.Source;
import dev.homeport.server.state.Standing;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Which versions a cluster runs, each with where that is known from and since when. What is not known is left out. */
final class FactsJson {
    private FactsJson() {}

    static ObjectNode of(ClusterReview review, Standing standing) {
        Optional<String> outdated = outdated(review);
        ObjectNode json = StrictJson.object().put("current", outdated.isEmpty());
        outdated.ifPresent(reason -> json.put("reason", reason));
        ClusterFacts facts = review.facts().orElse(null);
        if (facts != null) {
            fact(json, "kubernetes_version", facts.kubernetes(), Source.WITNESS, facts.at());
            fact(json, "platform", facts.platform(), Source.WITNESS, facts.at());
            fact(json, "flux_version", facts.flux(), Source.WITNESS, facts.at());
            fact(json, "flux_operator_version", facts.operator(), Source.WITNESS, facts.at());
        }
        String operator = standing.operator();
        if (operator != null && !json.has("flux_operator_version")) {
            fact(
                    json,
                    "flux_operator_version",
                    operator,
                    Source.POLL,
                    review.lastPollAt().orElse(null));
        }
        return json;
    }

    /** Why they may be missing, or not what runs now. */
    private static Optional<String> outdated(ClusterReview review) {
        if (!review.asked()) {
            return Optional.of("clusters are not asked: witnesses are off, or answer_format is below 3");
        }
        if (review.state() == ClusterState.NEW
                || review.state() == ClusterState.SILENT
                || review.state() == ClusterState.DETACHED
                || review.state() == ClusterState.LEAVING) {
            return Optional.of("the cluster is " + review.state().word());
        }
        if (review.facts().isEmpty()) {
            return Optional.of("the cluster has not answered yet");
        }
        return review.facts().get().present()
                ? Optional.empty()
                : Optional.of("the cluster has no FluxReport 'flux' in the namespace of Flux");
    }

    private static void fact(ObjectNode json, String name, String value, Source source, @Nullable Instant at) {
        if (!value.isEmpty()) {
            ObjectNode fact = json.putObject(name).put("value", value).put("source", source.word());
            if (at != null) {
                fact.put("at", at.toString());
            }
        }
    }
}
