package dev.homeport.server.admin;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.TokenText;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.write.Expected;
import dev.homeport.write.Operation;
import dev.homeport.write.WriteRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /api/v2/join}: a provisioner exchanges a join token, which works once, for the cluster's own token. A second
 * use means that one of the two users has stolen it: the issued token is suspended.
 */
final class JoinRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(JoinRoutes.class);

    /** For so long a second use is still recognised. */
    private static final Duration REMEMBERED = Duration.ofDays(30);

    private final Services services;
    private final TokenMint mint;
    private final BootstrapRoutes bootstrap;

    /** What a new cluster is to be given besides its token. */
    @FunctionalInterface
    interface Manifests {
        /** The files to be applied to the cluster, and their format. */
        ObjectNode with(TokenText token);
    }

    JoinRoutes(Services services, TokenMint mint, BootstrapRoutes bootstrap) {
        this.services = services;
        this.mint = mint;
        this.bootstrap = bootstrap;
    }

    List<Route> routes() {
        return List.of(new Route(
                "POST",
                "/api/v2/join",
                "join",
                "Exchange a join token for the cluster's own token, once.",
                Route.Needs.TOKEN,
                AdminRoute.strict(Set.of(), AdminRoute.ONE_DOCUMENT, this::join)));
    }

    /** The join token was used before. */
    private static final class UsedBefore extends ProblemException {
        private static final long serialVersionUID = 1L;

        UsedBefore() {
            super(new dev.homeport.problem.Problem.Refused(
                    ErrorCode.FORBIDDEN,
                    "this token was used before; what it was exchanged for is suspended",
                    "find out who used it, and make a new one to join with"));
        }
    }

    private Reply join(Call call) {
        DocumentKey key = new DocumentKey(Types.TOKEN, call.caller().token());
        String id = call.caller().cluster().orElse("");
        boolean isJoin = services.snapshot()
                .find(key)
                .filter(token -> token.tree().path("kind").asString("").equals(TokenText.Kind.JOIN.word()))
                .isPresent();
        if (!isJoin) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN,
                    call.caller().actor() + " may not join",
                    "come with a join token: POST /api/v2/tokens with the kind join makes one");
        }
        if (call.body().length > 0) {
            Envelope.requireJson(call);
        }
        ObjectNode wanted = call.body().length == 0 ? StrictJson.object() : call.json();
        return mint.counting(() -> {
            try {
                return exchange(call, key, id, wanted);
            } catch (UsedBefore e) {
                suspend(call, key, id);
                throw e;
            }
        });
    }

    private Reply exchange(Call call, DocumentKey key, String id, ObjectNode wanted) {
        if (services.snapshot().find(key).orElseThrow(UsedBefore::new).tree().has("used_at")) {
            throw new UsedBefore();
        }
        Document cluster = services.snapshot()
                .find(new DocumentKey(Types.CLUSTER, id))
                .orElseThrow(() -> AsOf.missing(new DocumentKey(Types.CLUSTER, id)));
        Manifests manifests = bootstrap.manifests(cluster, wanted);
        TokenText token = mint.make(TokenText.Kind.CLUSTER);
        Instant now = services.clock().instant();
        Operation use = new Operation.Edit(
                key,
                body -> {
                    if (body.has("used_at")) {
                        throw new UsedBefore(); // on another server, a moment ago
                    }
                    return body.put("used_at", text(now))
                            .put("issued", token.id())
                            .put("expires_at", text(now.plus(REMEMBERED)));
                },
                Expected.ANY);
        ObjectNode body = StrictJson.object()
                .put("id", token.id())
                .put("kind", TokenText.Kind.CLUSTER.word())
                .put("subject", id)
                .put("label", "joined with " + key.id())
                .put("hash", services.master().hash(token.secret()));
        Operation creation = new Operation.Create(new DocumentKey(Types.TOKEN, token.id()), body);
        services.writer().write(request(call, "joined", List.of(use, creation)));
        ObjectNode json = StrictJson.object()
                .put("cluster", id)
                .put("cluster_dns", cluster.tree().path("cluster_dns").asString(""))
                .put("token_id", token.id())
                .put("token", token.reveal());
        ObjectNode files = manifests.with(token);
        if (files.path("format").asString("").equals("yaml")) {
            json.put("manifests", files.at("/files/0/content").asString(""));
        }
        return Reply.json(201, json.setAll(files));
    }

    private void suspend(Call call, DocumentKey key, String cluster) {
        LOG.warn("join token {} for cluster {} was used again, from {}", key.id(), cluster, call.address());
        Optional<Document> join = services.snapshot().find(key);
        String issued =
                join.map(token -> token.tree().path("issued").asString("")).orElse("");
        boolean noted = join.map(token -> token.tree().has("abused_at")).orElse(true);
        List<Operation> operations = new ArrayList<>();
        if (!noted) {
            String now = text(services.clock().instant());
            operations.add(new Operation.Edit(key, body -> body.put("abused_at", now), Expected.ANY));
        }
        DocumentKey given = new DocumentKey(Types.TOKEN, issued);
        if (services.snapshot()
                .find(given)
                .filter(token -> !token.tree().path("revoked").asBoolean(false))
                .isPresent()) {
            operations.add(new Operation.Edit(given, body -> body.put("revoked", true), Expected.ANY));
        }
        if (!operations.isEmpty()) {
            services.writer()
                    .write(request(call, "join token " + key.id() + " was used a second time", operations)
                            .marked(Map.of("finding", "join_token_reused")));
        }
    }

    /** Homeport acts, in the name of the owner of the join token. */
    private static WriteRequest request(Call call, String reason, List<Operation> operations) {
        Actor actor = call.caller().actor();
        Caller caller = new Caller(
                actor,
                Caller.Access.SYSTEM,
                call.caller().cluster(),
                call.caller().token());
        return new WriteRequest(
                caller, reason, operations, Set.of(), Optional.empty(), Optional.empty(), call.requestId(), Map.of());
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
