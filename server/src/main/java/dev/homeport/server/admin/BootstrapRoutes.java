package dev.homeport.server.admin;

import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.Cluster;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.flux.Bootstrap;
import dev.homeport.flux.BootstrapRequest;
import dev.homeport.flux.Choices;
import dev.homeport.flux.ClusterIdentity;
import dev.homeport.flux.ClusterSecrets;
import dev.homeport.flux.GitLayout;
import dev.homeport.flux.ManifestFile;
import dev.homeport.flux.ManifestFiles;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.Outcome;
import dev.homeport.write.WriteRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The manifests with which a cluster begins to phone home. Asking for them makes a token, so it is a write. */
final class BootstrapRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(BootstrapRoutes.class);

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
        Document document = cluster(call);
        Cluster cluster = Cluster.of(document);
        if (call.body().length > 0) {
            Envelope.requireJson(call);
        }
        ObjectNode body = call.body().length == 0 ? StrictJson.object() : call.json();
        BootstrapRequest request = BootstrapRequest.read(body, services.snapshot(), pollInterval(document));
        ClusterIdentity identity = ClusterIdentity.of(cluster, url(request));
        Optional<String> authority = request.authority().or(this::ownAuthority);
        if (call.header("Idempotency-Key").isPresent()) {
            throw ProblemException.invalid(
                    "/Idempotency-Key", "a token is shown once and cannot be asked for again", "leave the key out");
        }
        if (request.choices().clientCertificate().isPresent()) {
            return withCertificate(call, document, identity, request);
        }
        return mint.counting(() -> {
            List<Operation> operations = new ArrayList<>();
            if (request.replace()) {
                mint.surplus(cluster.id()).forEach(key -> operations.add(new Operation.Delete(key, Expected.ANY)));
            } else {
                refuseThird(cluster.id());
            }
            TokenText token = mint.make(TokenText.Kind.CLUSTER);
            operations.add(creation(token, cluster));
            Outcome outcome = desk.write(desk.request(call, operations), pointer -> "");
            if (outcome instanceof Outcome.Planned planned) {
                return WriteDesk.planned(planned);
            }
            List<ManifestFile> files = files(document, identity, Optional.of(token), authority, request);
            return WriteDesk.revised(
                    Reply.json(201, json(cluster, request, files).put("token_id", token.id())), outcome);
        });
    }

    private Operation creation(TokenText token, Cluster cluster) {
        return mint.creation(
                token,
                StrictJson.object()
                        .put("kind", TokenText.Kind.CLUSTER.word())
                        .put("subject", cluster.id())
                        .put("label", "bootstrap"));
    }

    /** Without a token nothing is written, but nobody gets the cluster's event key who could not get a token for it. */
    private Reply withCertificate(Call call, Document document, ClusterIdentity identity, BootstrapRequest request) {
        Cluster cluster = Cluster.of(document);
        Operation asIf = creation(mint.make(TokenText.Kind.CLUSTER), cluster);
        desk.write(desk.request(call, List.of(asIf)).with(WriteRequest.Flag.DRY_RUN), pointer -> "");
        LOG.info(
                "manifests of cluster {}, which has a certificate, are shown to {}",
                cluster.id(),
                call.caller().actor().name());
        return Reply.json(
                200, json(cluster, request, files(document, identity, Optional.empty(), Optional.empty(), request)));
    }

    private List<ManifestFile> files(
            Document cluster,
            ClusterIdentity identity,
            Optional<TokenText> token,
            Optional<String> authority,
            BootstrapRequest request) {
        String eventKey =
                services.master().eventKey(cluster.id(), cluster.created().revision(), Cluster.eventKey(cluster));
        List<ObjectNode> objects = Bootstrap.objects(
                identity,
                new ClusterSecrets(token.map(TokenText::reveal), eventKey, authority),
                request.choices(),
                services.snapshot());
        return ManifestFiles.of(request.format(), identity, request.choices(), objects);
    }

    /**
     * What a cluster is given that joins. Whatever is wrong with the request is said now: the exchange that follows cannot be
     * repeated. Who asks for nothing in particular gets the standard, or no manifests where the server does not know its address.
     */
    JoinRoutes.Manifests manifests(Document document, ObjectNode body) {
        for (String field : List.of("replace", "client_certificate")) {
            if (body.has(field)) {
                throw ProblemException.invalid(
                        "/" + field, "this has no meaning for a cluster that joins", "leave it out");
            }
        }
        BootstrapRequest request = BootstrapRequest.read(body, services.snapshot(), pollInterval(document));
        try {
            ClusterIdentity identity = ClusterIdentity.of(Cluster.of(document), url(request));
            Optional<String> authority = request.authority().or(this::ownAuthority);
            return token -> json(request, files(document, identity, Optional.of(token), authority, request));
        } catch (ProblemException e) {
            if (!body.isEmpty()) {
                throw e;
            }
            LOG.warn("cluster {} joins without manifests: {}", document.id(), e.getMessage());
            return token -> StrictJson.object();
        }
    }

    private static Optional<String> pollInterval(Document cluster) {
        return Optional.of(cluster.tree().path("poll_interval").stringValue("")).filter(text -> !text.isEmpty());
    }

    private Optional<String> ownAuthority() {
        return services.settings().phoneNumber().authority().map(BootstrapRoutes::authority);
    }

    private void refuseThird(String cluster) {
        if (!mint.surplus(cluster).isEmpty()) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "cluster/" + cluster + " has two tokens that work",
                    "repeat with replace: true (--replace), which revokes the oldest, or revoke one yourself",
                    mint.surplus(cluster).stream().map(DocumentKey::toString).toList());
        }
    }

    private Document cluster(Call call) {
        DocumentKey key = new DocumentKey(Types.CLUSTER, call.parameter("id"));
        Document document = services.seen(call.caller(), key).orElseThrow(() -> AsOf.missing(key));
        ClusterLife life = ClusterLife.of(services.snapshot().document(Types.CLUSTER_LIFE, key.id()));
        if (document.fault().isPresent() || life.phase() != ClusterLife.Phase.ACTIVE) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    key + " is not an active cluster",
                    "take its decommission or detachment back with :undelete");
        }
        return document;
    }

    private String url(BootstrapRequest request) {
        return request.url()
                .or(() -> services.settings().phoneNumber().url())
                .orElseThrow(() -> ProblemException.invalid(
                        "/url",
                        "it is not known under which address clusters reach this server",
                        "send url, or set poll_url on the server"));
    }

    /** Read at each use, so that a renewed authority needs no restart. */
    private static String authority(Path file) {
        try {
            String pem = Files.readString(file);
            if (BootstrapRequest.isAuthority(pem)) {
                return pem;
            }
        } catch (IOException e) {
            // said below
        }
        throw ProblemException.refused(
                ErrorCode.UNAVAILABLE,
                "the file that poll_ca names holds no certificates that can be read",
                "mend it on the server, or send ca_certificate");
    }

    private static ObjectNode json(Cluster cluster, BootstrapRequest request, List<ManifestFile> files) {
        return StrictJson.object().put("cluster", cluster.id()).setAll(json(request, files));
    }

    private static ObjectNode json(BootstrapRequest request, List<ManifestFile> files) {
        ObjectNode json =
                StrictJson.object().put("format", request.format().name().toLowerCase(Locale.ROOT));
        ArrayNode list = json.putArray("files");
        files.forEach(file -> list.addObject().put("path", file.path()).put("content", file.content()));
        return json;
    }
}
