package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.ClusterReview;
import dev.homeport.observe.ClusterState;
import dev.homeport.observe.ComponentReview;
import dev.homeport.observe.ObservedPoll;
import dev.homeport.observe.Progress;
import dev.homeport.observe.RemovalReview;
import dev.homeport.observe.Report;
import dev.homeport.observe.TypeReview;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.state.Standing;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Delivery status of a cluster: desired, served, applied, healthy. */
final class DeliveryRoutes {
    private final Services services;

    DeliveryRoutes(Services services) {
        this.services = services;
    }

    List<Route> routes() {
        return List.of(AdminRoute.read(
                "/api/v2/clusters/{id}/delivery",
                "getDelivery",
                "Get the delivery status of each type and component: desired, served, applied, healthy, and when.",
                Set.of(),
                this::delivery));
    }

    /** Whole seconds stay whole numbers; an interval may be shorter than one. */
    private static BigDecimal seconds(Duration interval) {
        BigDecimal seconds = BigDecimal.valueOf(interval.toMillis(), 3).stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }

    private Reply delivery(Call call) {
        AsOf state = AsOf.present(call, services);
        Document cluster = state.document(state.type("clusters"), call.parameter("id"));
        ClusterReview review = services.board().review(cluster);
        Standing standing = services.board().current(cluster);
        ObjectNode body = StrictJson.object()
                .put("cluster", cluster.id())
                .put("revision", state.revision())
                .put("state", standing.state().word())
                .put("state_since", standing.since().toString())
                .put("state_source", review.source().word())
                .put("reporting", standing.reporting())
                .put("poll_interval_seconds", seconds(review.interval()));
        review.lastPollAt().ifPresent(at -> body.put("last_polled_at", at.toString()));
        review.silentFrom().ifPresent(at -> body.put("silent_from", at.toString()));
        if (standing.operator() != null) {
            body.put("flux_operator_version", standing.operator());
        }
        if (standing.state() == ClusterState.LEAVING) {
            body.put("drained", review.drained());
            review.left().forEach(body.putArray("left")::add);
        }
        if (!review.notReporting().isEmpty()) {
            review.notReporting().forEach(body.putArray("not_reporting")::add);
        }
        body.set("facts", FactsJson.of(review, standing));
        ObjectNode types = body.putObject("types");
        review.types().forEach(type -> types.set(type.plural(), json(review, type)));
        review.root().ifPresent(root -> types.set(root.plural(), json(review, compared(state, cluster, root))));
        ObjectNode components = body.putObject("components");
        review.components().forEach(component -> components.set(component.id(), json(state, component)));
        ArrayNode probes = body.putArray("probes");
        review.probes()
                .forEach(result -> probes.add(
                        ProbeRoutes.json(result).put("probe", result.probe().id())));
        ArrayNode removals = body.putArray("removals");
        review.removals().forEach(removal -> removals.add(json(removal)));
        return Reply.json(200, body);
    }

    private static ObjectNode json(RemovalReview removal) {
        ObjectNode json = StrictJson.object()
                .put("type", removal.item().plural())
                .put("id", removal.item().id())
                .put("state", removal.state().word())
                .put("since", removal.item().since().toString())
                .put("reason", removal.reason())
                .put("source", removal.source().word());
        removal.fetchedAt().ifPresent(at -> json.put("fetched_at", at.toString()));
        return json;
    }

    /** The types themselves are rarely asked for, so what there is of them now is rendered only here. */
    private static TypeReview compared(AsOf state, Document cluster, TypeReview root) {
        Answer answer = TypesAnswer.of(state.view(), cluster);
        return new TypeReview(
                root.plural(),
                answer instanceof Answer.Served served
                        ? Rendering.render(served, WireShape.SET).digest()
                        : "",
                answer instanceof Answer.Hold hold ? Optional.of(hold.reason()) : Optional.empty(),
                root.poll(),
                root.fullness(),
                root.failure(),
                root.applied());
    }

    private static ObjectNode json(ClusterReview review, TypeReview type) {
        ObjectNode json = StrictJson.object();
        if (!type.desired().isEmpty()) {
            json.putObject("desired").put("digest", type.desired());
        }
        type.hold().ifPresent(reason -> json.put("hold", reason));
        type.poll().ifPresent(poll -> json.set("served", json(poll)));
        json.put("current", type.isCurrent());
        json.put("fullness", Math.round(type.fullness() * 1000) / 1000.0);
        type.applied()
                .ifPresent(applied -> json.putObject("applied")
                        .put("at", applied.at().toString())
                        .put("source", applied.source().word()));
        if (type.poll().isPresent()) {
            json.put("reporting", review.setsReporting());
        }
        type.failure().ifPresent(failure -> json.set("failure", json(failure)));
        return json;
    }

    private static ObjectNode json(ObservedPoll poll) {
        ObjectNode json = StrictJson.object()
                .put("at", poll.since().toString())
                .put("last_polled_at", poll.at().toString())
                .put("status", poll.status())
                .put("revision", poll.revision())
                .put("shape", poll.shape());
        if (!poll.digest().isEmpty()) {
            json.put("digest", poll.digest());
        }
        return json;
    }

    private static ObjectNode json(AsOf state, ComponentReview component) {
        Progress progress = component.progress();
        ObjectNode json = StrictJson.object();
        ObjectNode desired = json.putObject("desired")
                .put("digest", component.wanted().digest())
                .put("version", component.wanted().tag());
        Document catalog = state.view().document(Types.PLATFORM_COMPONENT, component.id());
        if (catalog != null) {
            desired.put("catalog_changed_at", catalog.updated().at().toString());
        }
        json.put("served", component.served());
        proof(json, "applied", component, progress.applied());
        proof(json, "healthy", component, progress.healthy());
        progress.failure().ifPresent(failure -> json.set("failure", json(failure)));
        progress.last().ifPresent(last -> json.set("last", json(last)));
        return json;
    }

    private static void proof(ObjectNode json, String name, ComponentReview component, Optional<Report> proof) {
        proof.ifPresent(report -> json.putObject(name)
                .put("digest", component.wanted().digest())
                .put("version", report.revision())
                .put("at", report.at().toString())
                .put("source", report.source().word()));
    }

    static ObjectNode json(Report report) {
        ObjectNode json = StrictJson.object()
                .put("verdict", report.verdict().name().toLowerCase(Locale.ROOT))
                .put("object", report.object())
                .put("reason", report.reason())
                .put("message", report.message())
                .put("source", report.source().word())
                .put("at", report.at().toString())
                .put("received_at", report.receivedAt().toString());
        if (!report.revision().isEmpty()) {
            json.put("version", report.revision());
        }
        return json;
    }
}
