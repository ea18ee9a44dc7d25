package dev.homeport.server.admin;

import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.flux.Choices;
import dev.homeport.flux.GitLayout;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.Problem;
import dev.homeport.problem.ProblemException;
import dev.homeport.problem.Violation;
import dev.homeport.problem.WorkBudget;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Plain;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The manifests with which a cluster begins to phone home. Asking for them makes a token, so it is a write. */
final class BootstrapRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(BootstrapRoutes.class);
    private static final int MOST_AT_ONCE = 1000;

    private final Services services;
    private final WriteDesk desk;
    private final TokenMint mint;

    BootstrapRoutes(Services services, TokenMint mint) {
        this.services = services;
        this.desk = new WriteDesk(services);
        this.mint = mint;
    }

    List<Route> routes() {
        return List.of(
                AdminRoute.write(
                        "POST",
                        "/api/v2/clusters/{id}:bootstrap",
                        "bootstrapCluster",
                        "Makes a token for the cluster and shows, this once, the manifests with which it begins to"
                                + " phone home.",
                        Set.of(),
                        this::bootstrap),
                AdminRoute.write(
                        "POST",
                        "/api/v2/clusters:bootstrap",
                        "bootstrapClusters",
                        "Makes a token for each of up to " + MOST_AT_ONCE + " clusters, all or none, and shows their"
                                + " manifests this once.",
                        Set.of(),
                        this::bootstrapAll),
                AdminRoute.read(
                        "/api/v2/export/git",
                        "exportGit",
                        "The fleet as files for Git: a base, environments and clusters over it, and what makes Flux"
                                + " follow them.",
                        Set.of(AsOf.NAME, "repository", "branch", "layout"),
                        this::git));
    }

    private Reply git(Call call) {
        AsOf state = AsOf.of(call, services);
        GitLayout.Branches branches = switch (call.query("layout").orElse("paths")) {
            case "paths" -> GitLayout.Branches.ONE;
            case "branches" -> GitLayout.Branches.BY_ENVIRONMENT;
            default -> throw ProblemException.invalid("/layout", "there is no such layout", "use paths or branches");
        };
        GitLayout.Source source = new GitLayout.Source(
                required(call, "repository", "(https|ssh)://[-A-Za-z0-9._~:/@]{1,500}", "use https://… or ssh://…"),
                call.query("branch").isEmpty()
                        ? "main"
                        : required(call, "branch", "[A-Za-z0-9][-A-Za-z0-9._/]{0,100}", "use a branch's name"),
                branches);
        List<Document> clusters = new ArrayList<>();
        state.all(Types.CLUSTER).forEach(clusters::add);
        ObjectNode json = StrictJson.object().put("revision", state.revision());
        ArrayNode list = json.putArray("files");
        GitLayout.of(state.view(), clusters, source, Choices.STANDARD)
                .forEach(file -> list.addObject().put("path", file.path()).put("content", file.content()));
        return Reply.json(200, json);
    }

    private static String required(Call call, String name, String form, String fix) {
        String text = call.query(name).orElse("");
        if (!text.matches(form)) {
            throw ProblemException.invalid("/" + name, "this is missing or not right", fix);
        }
        return text;
    }

    private Reply bootstrap(Call call) {
        WantedManifests wanted = WantedManifests.read(body(call), cluster(call, call.parameter("id")), services);
        return issue(call, List.of(wanted), List::getFirst);
    }

    /** One commit makes all the tokens, or none. */
    private Reply bootstrapAll(Call call) {
        ObjectNode body = body(call);
        List<WantedManifests> wanted = new ArrayList<>();
        List<Document> clusters = clusters(call, body.remove("clusters"));
        for (Document cluster : clusters) {
            WorkBudget.current().check();
            wanted.add(WantedManifests.read(body, cluster, services));
        }
        return issue(call, wanted, made -> {
            ObjectNode json = StrictJson.object();
            json.putArray("clusters").addAll(made);
            return json;
        });
    }

    private static ObjectNode body(Call call) {
        if (call.body().length > 0) {
            Envelope.requireJson(call);
        }
        return call.body().length == 0 ? StrictJson.object() : call.json();
    }

    private List<Document> clusters(Call call, @Nullable JsonNode ids) {
        if (ids == null || !ids.isArray() || ids.isEmpty() || ids.size() > MOST_AT_ONCE) {
            throw ProblemException.invalid(
                    "/clusters",
                    "this is not a list of 1 to " + MOST_AT_ONCE + " clusters",
                    "send their ids, in several requests where there are more");
        }
        Set<String> seen = new HashSet<>();
        List<Document> clusters = new ArrayList<>();
        List<Violation> found = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i).stringValue("");
            Optional<Document> cluster = services.seen(call.caller(), new DocumentKey(Types.CLUSTER, id));
            if (cluster.isEmpty()) {
                found.add(new Violation(
                        "/clusters/" + i, "there is no cluster/" + Plain.text(id), "name the id of a cluster"));
            } else if (!seen.add(id)) {
                found.add(new Violation("/clusters/" + i, "cluster/" + id + " is named twice", "name it once"));
            } else {
                clusters.add(cluster.get());
            }
        }
        if (!found.isEmpty()) {
            throw new ProblemException(Problem.Invalid.of(found));
        }
        clusters.forEach(this::refuseInactive);
        return clusters;
    }

    private Reply issue(Call call, List<WantedManifests> wanted, Function<List<ObjectNode>, ObjectNode> shown) {
        if (call.header("Idempotency-Key").isPresent()) {
            throw ProblemException.invalid(
                    "/Idempotency-Key", "a token is shown once and cannot be asked for again", "leave the key out");
        }
        if (wanted.getFirst().hasCertificate()) {
            return withCertificates(call, wanted, shown);
        }
        Map<TokenText, WantedManifests> tokens = new LinkedHashMap<>();
        wanted.forEach(one -> tokens.put(mint.make(TokenText.Kind.CLUSTER), one));
        Outcome outcome = mint.counting(() -> {
            List<Operation> operations = new ArrayList<>(room(call, wanted));
            tokens.forEach((token, one) -> operations.add(creation(token, one.cluster())));
            return desk.write(desk.request(call, operations), pointer -> "");
        });
        if (outcome instanceof Outcome.Planned planned) {
            return WriteDesk.planned(planned);
        }
        List<ObjectNode> made = new ArrayList<>();
        tokens.forEach((token, one) -> made.add(json(one, Optional.of(token)).put("token_id", token.id())));
        return WriteDesk.revised(Reply.json(201, shown.apply(made)), outcome);
    }

    /** Where there are two tokens already, the oldest goes if that was asked for. */
    private List<Operation> room(Call call, List<WantedManifests> wanted) {
        Map<String, List<DocumentKey>> surplus = new LinkedHashMap<>();
        for (WantedManifests one : wanted) {
            List<DocumentKey> keys = mint.surplus(one.document().id());
            if (!keys.isEmpty()) {
                surplus.put(one.document().id(), keys);
            }
        }
        List<DocumentKey> keys = surplus.values().stream().flatMap(List::stream).toList();
        if (!keys.isEmpty() && !wanted.getFirst().request().replace()) {
            refuseForbidden(call, wanted);
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "cluster/" + surplus.keySet().iterator().next()
                            + (surplus.size() == 1 ? " has" : " and " + (surplus.size() - 1) + " more have")
                            + " two tokens that work",
                    "repeat with replace: true (--replace), which revokes the oldest, or revoke one yourself",
                    keys.stream().map(DocumentKey::toString).toList());
        }
        return keys.stream()
                .<Operation>map(key -> new Operation.Delete(key, Expected.ANY))
                .toList();
    }

    private Operation creation(TokenText token, Cluster cluster) {
        return mint.creation(
                token,
                StrictJson.object()
                        .put("kind", TokenText.Kind.CLUSTER.word())
                        .put("subject", cluster.id())
                        .put("label", "bootstrap"));
    }

    private void refuseForbidden(Call call, List<WantedManifests> wanted) {
        wanted.forEach(
                one -> mint.refuseForbidden(call.caller(), creation(mint.make(TokenText.Kind.CLUSTER), one.cluster())));
    }

    /** Without a token nothing is written, but a cluster's event key is only for callers who may issue its tokens. */
    private Reply withCertificates(
            Call call, List<WantedManifests> wanted, Function<List<ObjectNode>, ObjectNode> shown) {
        refuseForbidden(call, wanted);
        LOG.info(
                "manifests of {}, with a certificate, are shown to {}",
                wanted.stream().map(one -> one.document().key().toString()).collect(Collectors.joining(", ")),
                call.caller().actor().name());
        return Reply.json(
                200,
                shown.apply(
                        wanted.stream().map(one -> json(one, Optional.empty())).toList()));
    }

    private static ObjectNode json(WantedManifests wanted, Optional<TokenText> token) {
        return StrictJson.object().put("cluster", wanted.document().id()).setAll(wanted.with(token));
    }

    /**
     * The manifests for a cluster that joins. Errors of the request are reported first, because the exchange that follows
     * cannot be repeated. A request without options gets the defaults, or no manifests if the server does not know its
     * address.
     */
    JoinRoutes.Manifests manifests(Document document, ObjectNode body) {
        for (String field : List.of("replace", "client_certificate")) {
            if (body.has(field)) {
                throw ProblemException.invalid(
                        "/" + field, "this has no meaning for a cluster that joins", "leave it out");
            }
        }
        try {
            WantedManifests wanted = WantedManifests.read(body, document, services);
            return token -> wanted.with(Optional.of(token));
        } catch (ProblemException e) {
            if (!body.isEmpty()) {
                throw e;
            }
            LOG.warn("cluster {} joins without manifests: {}", document.id(), e.getMessage());
            return token -> StrictJson.object();
        }
    }

    private Document cluster(Call call, String id) {
        DocumentKey key = new DocumentKey(Types.CLUSTER, id);
        Document document = services.seen(call.caller(), key).orElseThrow(() -> AsOf.missing(key));
        refuseInactive(document);
        return document;
    }

    private void refuseInactive(Document document) {
        ClusterLife life = ClusterLife.of(services.snapshot().document(Types.CLUSTER_LIFE, document.id()));
        if (document.fault().isPresent() || life.phase() != ClusterLife.Phase.ACTIVE) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    document.key() + " is not an active cluster",
                    "take its decommission or detachment back with :undelete");
        }
    }
}
