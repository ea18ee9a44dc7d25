package dev.homeport.server.admin;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.Explain;
import dev.homeport.fleet.Explanation;
import dev.homeport.fleet.Rendered;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.WireShape;
import dev.homeport.flux.TypesAnswer;
import dev.homeport.json.StrictJson;
import dev.homeport.observe.WitnessAnswer;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.admin.patch.MergePatch;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Routes of a cluster beyond its document: its answers, their explanation, and its lifecycle. */
final class ClusterRoutes {
    private static final String ONE = "/api/v2/clusters/{id}";

    private final Services services;
    private final WriteDesk desk;

    ClusterRoutes(Services services) {
        this.services = services;
        this.desk = new WriteDesk(services);
    }

    List<Route> routes() {
        return List.of(
                AdminRoute.read(
                        ONE + "/payload/{type}",
                        "getPayload",
                        "Get the exact answer of the cluster and the room left in it; with raw=true only the bytes.",
                        Set.of(AsOf.NAME, "shape", "raw"),
                        this::payload),
                AdminRoute.read(
                        ONE + "/explain",
                        "explainCluster",
                        "Says for every value from which layer it comes, which change set it, and what it stands in front of;"
                                + " with brief=true which change its document had last.",
                        Set.of(AsOf.NAME, "type", "brief"),
                        this::explain),
                AdminRoute.read(
                        ONE + "/diff",
                        "diffCluster",
                        "Compare the cluster's desired state with and without its own layer.",
                        Set.of(AsOf.NAME),
                        this::diff),
                verb("decommission", "Decommission the cluster: empty its answers, so that Flux removes everything."),
                verb("undelete", "Undo a decommission or a detach."),
                verb("detach", "Stop managing the cluster and leave everything on it."),
                verb("purge", "Purge a decommissioned cluster."),
                verb("repair", "Repair the record of a cluster when it cannot be read."),
                verb("pause", "Pause the cluster: freeze its answers."),
                verb("resume", "Resume a paused cluster."),
                AdminRoute.write(
                        "POST",
                        ONE + ":clone",
                        "cloneCluster",
                        "Create a cluster as a copy of this one: the body has its id, its cluster_dns and other differences.",
                        Set.of(),
                        this::copy));
    }

    private Route verb(String verb, String summary) {
        Set<String> query = OperationReader.query(verb);
        return AdminRoute.write("POST", ONE + ":" + verb, verb + "Cluster", summary, query, call -> {
            if (call.body().length > 0 && !StrictJson.parseObject(call.body()).isEmpty()) {
                throw ProblemException.invalid("", verb + " takes no body", "send none");
            }
            DocumentKey key = new DocumentKey(Types.CLUSTER, call.parameter("id"));
            Operation operation = OperationReader.of(call, services).fromQuery(verb, key, call);
            Outcome outcome = desk.write(call, "", operation);
            return outcome instanceof Outcome.Planned planned
                    ? WriteDesk.planned(planned)
                    : DocumentRoutes.document(call, services, 200, key, outcome);
        });
    }

    private Reply payload(Call call) {
        AsOf state = AsOf.of(call, services);
        Document cluster = cluster(state, call);
        Served type = served(state, call.parameter("type"));
        WireShape shape = shape(call, type);
        Answer answer = answer(state, call, cluster, type);
        Rendered rendered = answer instanceof Answer.Served served ? Rendering.render(served, shape) : Rendered.NOTHING;
        if (call.flag("raw") && answer instanceof Answer.Served) {
            return new Reply(
                    200,
                    Reply.JSON,
                    rendered.body(),
                    Map.of("Homeport-Digest", rendered.digest(), "Homeport-Revision", Long.toString(state.revision())));
        }
        ObjectNode body = StrictJson.object()
                .put("cluster", cluster.id())
                .put("type", type.plural())
                .put("shape", shape.name().toLowerCase(Locale.ROOT))
                .put("revision", state.revision());
        switch (answer) {
            case Answer.Hold hold -> body.put("poll_status", 503).put("hold", hold.reason());
            case Answer.Detached detached ->
                body.put("poll_status", 410).put("detached_since_revision", detached.revision());
            case Answer.Served served -> {
                body.put("poll_status", 200)
                        .put("digest", rendered.digest())
                        .put("body", new String(rendered.body(), StandardCharsets.UTF_8));
                body.set("budget", budget(cluster, served, rendered));
            }
        }
        return Reply.json(200, body);
    }

    /**
     * A type that clusters poll.
     *
     * @param item empty for the types themselves, with their templates, and for what a cluster is asked about itself
     */
    private record Served(String plural, Optional<TypeDefinition> item) {}

    private static Served served(AsOf state, String word) {
        if (word.equals(TypesAnswer.PLURAL) || word.equals(WitnessAnswer.PLURAL)) {
            return new Served(word, Optional.empty());
        }
        TypeDefinition item = itemType(state, word, "");
        return new Served(item.plural(), Optional.of(item));
    }

    private Answer answer(AsOf state, Call call, Document cluster, Served type) {
        if (type.item().isPresent()) {
            return Answers.of(state.view(), cluster, type.item().get());
        }
        if (type.plural().equals(TypesAnswer.PLURAL)) {
            return TypesAnswer.of(state.view(), cluster);
        }
        if (call.query(AsOf.NAME).isPresent()) {
            throw ProblemException.invalid(
                    "/" + AsOf.NAME,
                    "what a cluster is asked depends on its reports, which have no past",
                    "leave it out");
        }
        return services.board().witnesses(cluster);
    }

    /** How close to what Flux can take. */
    private static ObjectNode budget(Document cluster, Answer.Served served, Rendered rendered) {
        int flat = Rendering.render(served, WireShape.FLAT).body().length;
        int set = Rendering.render(served, WireShape.SET).body().length;
        return StrictJson.object()
                .put("bytes", rendered.body().length)
                .put("bytes_of_larger_shape", Math.max(flat, set))
                .put("max_bytes", Rendering.MAX_BYTES)
                .put("items", served.items().size())
                .put("max_items", Cluster.of(cluster).inputLimit());
    }

    private static WireShape shape(Call call, Served type) {
        boolean setOnly = type.item().isEmpty();
        return switch (call.query("shape").orElse(setOnly ? "set" : "flat")) {
            case "flat" -> {
                if (setOnly) {
                    throw ProblemException.invalid("/shape", type.plural() + " are served as a set only", "use set");
                }
                yield WireShape.FLAT;
            }
            case "set" -> WireShape.SET;
            default -> throw ProblemException.invalid("/shape", "there is no such shape", "use flat or set");
        };
    }

    private Reply explain(Call call) {
        AsOf state = AsOf.of(call, services);
        Document cluster = cluster(state, call);
        List<TypeDefinition> types = call.query("type")
                .map(word -> List.of(itemType(state, word, "/type")))
                .orElseGet(() -> itemTypes(state));
        ObjectNode body = StrictJson.object().put("cluster", cluster.id()).put("revision", state.revision());
        ObjectNode explained = body.putObject("types");
        ExplanationJson words = new ExplanationJson(state.powers());
        boolean brief = call.flag("brief");
        for (TypeDefinition type : types) {
            Explanation explanation = Explain.of(state.view(), cluster, type);
            explained.set(
                    type.plural(),
                    words.of(
                            brief
                                    ? explanation
                                    : new Provenance(state.view(), cluster, type, services.history()).of(explanation)));
        }
        return Reply.json(200, body);
    }

    private Reply diff(Call call) {
        AsOf state = AsOf.of(call, services);
        Document cluster = cluster(state, call);
        ObjectNode body = StrictJson.object().put("cluster", cluster.id()).put("revision", state.revision());
        body.set("types", BaseDiff.of(state.view(), cluster, itemTypes(state)));
        return Reply.json(200, body);
    }

    private Document cluster(AsOf state, Call call) {
        return state.document(state.type("clusters"), call.parameter("id"));
    }

    private static List<TypeDefinition> itemTypes(AsOf state) {
        return state.view().types().itemTypes().stream()
                .map(name -> state.view().types().named(name).orElseThrow())
                .toList();
    }

    private static TypeDefinition itemType(AsOf state, String word, String pointer) {
        Optional<TypeDefinition> type = state.view()
                .types()
                .withPlural(word)
                .or(() -> state.view().types().named(word))
                .filter(known -> known.part() == TypeDefinition.Part.ITEM);
        if (type.isEmpty() && pointer.isEmpty()) {
            throw ProblemException.refused(
                    dev.homeport.api.ErrorCode.NOT_FOUND,
                    "clusters are not served a type " + Plain.text(word),
                    "use "
                            + String.join(
                                    ", ",
                                    itemTypes(state).stream()
                                            .map(TypeDefinition::plural)
                                            .toList()));
        }
        return type.orElseThrow(() -> ProblemException.invalid(
                pointer, "clusters are not served such a type", "use the plural of a type, as in the poll's path"));
    }

    private Reply copy(Call call) {
        Envelope.requireJson(call);
        AsOf state = AsOf.present(call, services);
        Document source = cluster(state, call);
        ObjectNode wanted = call.json();
        String id = Envelope.id(wanted)
                .orElseThrow(() -> ProblemException.invalid("/id", "the new cluster has no id", "set id"));
        if (!wanted.path("cluster_dns").isString()) {
            throw ProblemException.invalid("/cluster_dns", "the new cluster has no DNS name", "set cluster_dns");
        }
        ObjectNode body = source.tree();
        body.remove("dns_aliases");
        body.remove("expires_at");
        body.put("cluster_name", id);
        DocumentKey key = new DocumentKey(Types.CLUSTER, id);
        Outcome outcome = desk.write(call, "", new Operation.Create(key, MergePatch.apply(body, wanted)));
        return outcome instanceof Outcome.Planned planned
                ? WriteDesk.planned(planned)
                : DocumentRoutes.document(call, services, 201, key, outcome);
    }
}
