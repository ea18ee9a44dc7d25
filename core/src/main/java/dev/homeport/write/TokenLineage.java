package dev.homeport.write;

import dev.homeport.access.AccessKeys;
import dev.homeport.access.Caller;
import dev.homeport.access.Limits;
import dev.homeport.access.Permission;
import dev.homeport.access.Powers;
import dev.homeport.access.StoredToken;
import dev.homeport.access.TokenLife;
import dev.homeport.access.TokenSettings;
import dev.homeport.access.TokenSettings.FromSignIn;
import dev.homeport.access.Verb;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Body;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where tokens come from, on every path that writes them: a new token records its maker, gets the maker's limits and ends no
 * later than the maker's own token or sign-in; a stored one is never lengthened, widened or brought back; and what was made
 * with a token ends with it.
 */
final class TokenLineage {
    private static final int MOST_OF_CLUSTER = 2;
    private static final int MOST_NAMED = 50;
    private static final Duration JOIN = Duration.ofHours(1);
    private static final Duration LONGEST_JOIN = Duration.ofDays(1);
    private static final List<String> FIXED = List.of(
            "kind", "subject", "hash", "access", "made_by", "parent", "rotated_by", "replaces", "sign_in", "limits");

    private final Draft draft;
    private final WriteRequest request;
    private final Powers powers;
    private final Permission permission;
    private final Instant now;

    /** Live tokens that end with this change and are not named in the request. */
    private final Map<DocumentKey, StoredToken> ending = new TreeMap<>();

    /** Live tokens of clusters that were made with tokens which are revoked. */
    private final Map<DocumentKey, Document> goingOn = new TreeMap<>();

    /** The first thing wrong with a new token; said only to callers who may make it. */
    private Optional<ProblemException> wrong = Optional.empty();

    private TokenLineage(Draft draft, WriteRequest request, Powers powers, Permission permission, Instant now) {
        this.draft = draft;
        this.request = request;
        this.powers = powers;
        this.permission = permission;
        this.now = now;
    }

    /** Completes the draft; refuses nothing yet. */
    static TokenLineage of(Draft draft, WriteRequest request, Powers powers, Permission permission, Instant now) {
        TokenLineage lineage = new TokenLineage(draft, request, powers, permission, now);
        Map<DocumentKey, Optional<Document>> changes = draft.changes();
        changes.forEach((key, after) -> {
            if (key.type().equals(Types.TOKEN)) {
                lineage.complete(key, after);
            }
        });
        return lineage;
    }

    private void complete(DocumentKey key, Optional<Document> after) {
        Optional<Document> before = draft.before().find(key);
        if (before.isEmpty() && after.isPresent()) {
            if (request.has(WriteRequest.Flag.IMPORTED)) {
                createImported(after.get());
            } else {
                create(after.get());
            }
        } else if (before.isPresent()) {
            Instant end = after.filter(document -> !StoredToken.of(document).revoked())
                    .map(document -> StoredToken.of(document).expiresAt())
                    .orElse(Instant.MAX);
            boolean ends = after.isEmpty() || StoredToken.of(after.get()).revoked();
            endChildren(key.id(), ends ? Instant.MIN : end);
            if (ends) {
                noteTokensOfClusters(key.id());
            }
        }
    }

    /**
     * It keeps what it was elsewhere. But the importer knows hashes, and so could make another document for a secret that the
     * importer has: like every token, it ends with the one that brought it in.
     */
    private void createImported(Document document) {
        ObjectNode body = document.tree();
        StoredToken token = StoredToken.of(document);
        Caller caller = request.caller();
        if (token.kind().equals("cluster") || caller.access() == Caller.Access.SYSTEM) {
            return;
        }
        Ceiling ceiling = new Ceiling();
        own().ifPresent(importer -> {
            body.put("rotated_by", importer.id());
            TokenLife.end(draft.before(), importer).ifPresent(end -> ceiling.lower(end, ""));
        });
        caller.signIn().ifPresent(signIn -> {
            body.put("made_by", caller.actor().toString());
            fromSignIn(signIn, token, body, ceiling);
        });
        ceiling.cap(body);
        draft.putAlong(document.key(), Body.of(body));
    }

    private Optional<Document> own() {
        String id = request.caller().token();
        return id.isEmpty() ? Optional.empty() : draft.before().find(new DocumentKey(Types.TOKEN, id));
    }

    private void create(Document document) {
        ObjectNode body = document.tree();
        StoredToken token = StoredToken.of(document);
        Caller caller = request.caller();
        body.put("made_by", caller.actor().toString());
        Optional<Document> own = own();
        own.ifPresent(parent -> body.put("parent", parent.id()));
        if (caller.access() == Caller.Access.SYSTEM) {
            draft.put(document.key(), Body.of(body), Verb.CREATE);
            return;
        }
        if (token.kind().equals("cluster")) {
            createOfCluster(body);
        } else {
            createWithin(body, token, own);
        }
        draft.put(document.key(), Body.of(body), Verb.CREATE);
    }

    /** It does not end with its maker, but with what it replaces. */
    private void createOfCluster(ObjectNode body) {
        Ceiling ceiling = new Ceiling();
        if (body.has("replaces")) {
            lowerToReplaced(replaced(body), ceiling);
        }
        ceiling.apply(body, Optional.empty());
    }

    private void createWithin(ObjectNode body, StoredToken token, Optional<Document> own) {
        Caller caller = request.caller();
        Ceiling ceiling = new Ceiling();
        own.flatMap(parent -> TokenLife.end(draft.before(), parent))
                .ifPresent(end -> ceiling.lower(end, "token/" + caller.token() + ", which makes it, ends then"));
        Limits limits = token.isForCluster() ? Limits.NONE : powers.limits();
        caller.signIn().ifPresent(signIn -> fromSignIn(signIn, token, body, ceiling));
        if (body.has("replaces")) {
            limits = replace(body, limits, ceiling);
        }
        if (!token.isForCluster()) {
            TokenSettings settings = settings();
            settings.maxLifetime()
                    .ifPresent(most -> ceiling.lower(
                            now.plus(most), "settings/fleet allows a lifetime of " + most.toHours() + " hours"));
            limitsOf(body, limits);
            ceiling.apply(body, settings.defaultLifetime());
        } else {
            ceiling.lower(now.plus(LONGEST_JOIN), "a token to join with lives for 24 hours at most");
            ceiling.apply(body, Optional.of(JOIN));
        }
    }

    private Document replaced(ObjectNode body) {
        return draft.before()
                .find(new DocumentKey(Types.TOKEN, body.path("replaces").stringValue("")))
                .orElseThrow();
    }

    private void lowerToReplaced(Document old, Ceiling ceiling) {
        if (!TokenLife.isLive(draft.before(), old, now)) {
            fail(ProblemException.refused(
                    ErrorCode.CONFLICT, old.key() + " does not work any more", "make a new token instead"));
            return;
        }
        TokenLife.end(draft.before(), old).ifPresent(end -> ceiling.lower(end, old.key() + " ends then"));
    }

    private TokenSettings settings() {
        return TokenSettings.of(draft.before(), powers.isPlatformAdmin());
    }

    private void limitsOf(ObjectNode body, Limits limits) {
        body.remove("limits");
        if (limits.size() > Limits.MOST) {
            fail(ProblemException.refused(
                    ErrorCode.CONFLICT,
                    request.actor() + " holds more than " + Limits.MOST + " rights, too many to limit a token to",
                    "ask a platform admin to make the token"));
        } else if (!limits.isUnlimited()) {
            body.set("limits", limits.json());
        }
    }

    private void fromSignIn(Caller.SignIn signIn, StoredToken token, ObjectNode body, Ceiling ceiling) {
        FromSignIn allowed =
                token.isForCluster() ? FromSignIn.SESSION : settings().fromSignIn();
        switch (allowed) {
            case NONE ->
                fail(ProblemException.refused(
                        ErrorCode.FORBIDDEN,
                        request.actor() + " signed in at an identity provider and may not make tokens of people or"
                                + " services",
                        "come with a token, or let a platform admin set tokens.from_sign_in in settings/fleet"));
            case SESSION -> {
                ceiling.lower(signIn.until(), "the sign-in that makes it ends then");
                ObjectNode json = StrictJson.object().put("since", text(signIn.since()));
                if (!signIn.session().isEmpty()) {
                    json.put("session", signIn.session());
                }
                body.set("sign_in", json);
            }
            case MAX_LIFETIME -> {}
        }
    }

    /** The new token takes the place of the old one: with its limits, its end and its parent. */
    private Limits replace(ObjectNode body, Limits limits, Ceiling ceiling) {
        Document old = replaced(body);
        ObjectNode stored = old.tree();
        boolean itself = request.caller().token().equals(old.id());
        if (!itself && body.has("parent")) {
            body.put("rotated_by", body.path("parent").stringValue(""));
        }
        body.remove("parent");
        for (String field : itself ? List.of("parent", "rotated_by", "made_by", "sign_in") : List.of("parent")) {
            if (stored.has(field)) {
                body.set(field, stored.get(field));
            }
        }
        lowerToReplaced(old, ceiling);
        Limits kept = StoredToken.of(old).limits();
        return kept.and(itself ? Limits.NONE : limits, draft.before(), now);
    }

    private void fail(ProblemException problem) {
        if (wrong.isEmpty()) {
            wrong = Optional.of(problem);
        }
    }

    /** The latest end that a new token may have. */
    private final class Ceiling {
        private Instant end = Instant.MAX;
        private String why = "";

        void lower(Instant other, String reason) {
            if (other.isBefore(end)) {
                end = other;
                why = reason;
            }
        }

        void cap(ObjectNode body) {
            String asked = body.path("expires_at").stringValue("");
            if (!end.equals(Instant.MAX)
                    && (asked.isEmpty() || Instant.parse(asked).isAfter(end))) {
                body.put("expires_at", text(end));
            }
        }

        void apply(ObjectNode body, Optional<Duration> standard) {
            Instant asked = body.has("expires_at")
                    ? Instant.parse(body.path("expires_at").stringValue(""))
                    : standard.map(now::plus).filter(time -> time.isBefore(end)).orElse(end);
            if (asked.isAfter(end)) {
                fail(ProblemException.invalid(
                        "/expires_at", "the token would live too long: " + why, "use " + text(end) + " or earlier"));
            } else if (!asked.equals(Instant.MAX)) {
                body.put("expires_at", text(asked));
            }
        }
    }

    private void endChildren(String id, Instant end) {
        for (DocumentKey key : draft.before().users(AccessKeys.madeWith(id))) {
            Document child = draft.find(key).orElse(null);
            if (child == null || child.fault().isPresent()) {
                continue;
            }
            StoredToken token = StoredToken.of(child);
            Instant known = token.expiresAt() == null ? Instant.MAX : token.expiresAt();
            if (end.isBefore(known)) {
                if (TokenLife.isLive(draft.before(), child, now)) {
                    ending.put(key, token);
                }
                if (end.equals(Instant.MIN)) {
                    draft.removeAlong(key);
                    noteTokensOfClusters(key.id());
                } else {
                    draft.putAlong(key, Body.of(child.tree().put("expires_at", text(end))));
                }
                endChildren(key.id(), end);
            }
        }
    }

    private void noteTokensOfClusters(String maker) {
        for (DocumentKey key : draft.before().users(AccessKeys.clusterTokensMadeWith(maker))) {
            draft.find(key)
                    .filter(one -> TokenLife.isLive(draft.before(), one, now))
                    .ifPresent(one -> goingOn.put(key, one));
        }
    }

    /** Only platform admins have the hashes that an import of tokens needs. For others, all ids look alike. */
    void refuseImport() {
        boolean tokens = request.operations().stream()
                .anyMatch(operation -> operation.key().type().equals(Types.TOKEN));
        if (tokens && request.has(WriteRequest.Flag.IMPORTED) && !powers.isPlatformAdmin()) {
            throw ProblemException.refused(
                    ErrorCode.FORBIDDEN, request.actor() + " may not import tokens", "leave tokens out");
        }
    }

    /** Checked after the permission, because its messages reveal tokens. */
    void check() {
        // Gone through in the order of ids, once: a bootstrap of the whole fleet makes a token for each cluster.
        Map<String, List<String>> madeBefore = new HashMap<>();
        FleetView view = draft.view();
        draft.changes().forEach((key, after) -> {
            if (!key.type().equals(Types.TOKEN) || after.isEmpty()) {
                return;
            }
            Optional<Document> before = draft.before().find(key);
            if (before.isEmpty()) {
                wrong.ifPresent(problem -> {
                    throw problem;
                });
                List<String> ofHolder =
                        madeBefore.computeIfAbsent(StoredToken.of(after.get()).holder(), holder -> new ArrayList<>());
                checkCreated(after.get(), view, ofHolder);
                ofHolder.add(key.toString());
            } else {
                refuseRevival(before.get(), after.get());
            }
        });
    }

    private void checkCreated(Document document, FleetView view, List<String> madeBefore) {
        StoredToken token = StoredToken.of(document);
        if (token.kind().equals("service") && permission.isNameOfIssuer(token.subject())) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "the name " + token.subject() + " belongs to jobs of a trusted issuer",
                    "choose a name that does not begin with the issuer's");
        }
        if (request.has(WriteRequest.Flag.IMPORTED)) {
            return;
        }
        boolean system = request.caller().access() == Caller.Access.SYSTEM;
        if (!system && TokenLife.ancestors(view, document) > TokenLife.MOST_ANCESTORS) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    "the token that makes it comes from " + TokenLife.MOST_ANCESTORS + " others, one after the other",
                    "make it with one of the earlier tokens");
        }
        boolean ofCluster = token.kind().equals("cluster");
        int most = ofCluster ? MOST_OF_CLUSTER : settings().maxLive();
        List<String> live = live(token.holder(), document, view);
        live.addAll(madeBefore);
        if ((ofCluster || !system) && live.size() >= most) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    token.holder().replaceFirst("^(cluster|join):", "cluster/") + " has " + live.size()
                            + " tokens that work",
                    "revoke one of them first",
                    live);
        }
    }

    /** Tokens of the same holder that work after the change, but for the new one and, unless a cluster's, the one it replaces. */
    private List<String> live(String holder, Document made, FleetView view) {
        String replaced = holder.startsWith("cluster:")
                ? ""
                : made.tree().path("replaces").stringValue("");
        List<String> live = new ArrayList<>();
        for (DocumentKey key : draft.before().users(AccessKeys.tokensOf(holder))) {
            draft.find(key)
                    .filter(one -> !key.id().equals(replaced) && TokenLife.isLive(view, one, now))
                    .ifPresent(one -> live.add(key.toString()));
        }
        return live;
    }

    private static void refuseRevival(Document before, Document after) {
        if (before.fault().isPresent()) {
            return;
        }
        ObjectNode old = before.tree();
        ObjectNode now = after.tree();
        StoredToken was = StoredToken.of(before);
        StoredToken is = StoredToken.of(after);
        boolean changed = FIXED.stream().anyMatch(field -> !old.path(field).equals(now.path(field)));
        boolean revived = was.revoked() && !is.revoked() || old.has("used_at") && !now.has("used_at");
        // A join token that was used is remembered for longer, so that a second use is recognised.
        boolean used = !old.has("used_at") && now.has("used_at");
        boolean longer = was.expiresAt() != null
                && (is.expiresAt() == null || is.expiresAt().isAfter(was.expiresAt()))
                && !used;
        if (changed || revived || longer) {
            throw ProblemException.refused(
                    ErrorCode.CONFLICT,
                    before.key() + " cannot be lengthened, widened or brought back",
                    "make a new token");
        }
    }

    /** Why the change needs a confirmation. */
    List<String> guards() {
        List<String> guards = new ArrayList<>();
        if (!ending.isEmpty()) {
            guards.add(ending.size() + " more tokens end, as they were made with one that does: "
                    + String.join(
                            ", ",
                            ending.entrySet().stream()
                                    .map(one -> one.getKey() + " of "
                                            + one.getValue().holder())
                                    .toList()));
        }
        grantedTokens().forEach((key, document) -> {
            StoredToken token = StoredToken.of(document);
            String maker = document.created().by();
            if (token.madeBy().isEmpty()
                    && !maker.startsWith("system:")
                    && !maker.equals(request.actor().toString())) {
                guards.add(key + " of " + token.holder() + " can use what is granted here; " + maker
                        + " made it before limits of tokens were recorded");
            }
        });
        return guards;
    }

    /** Warns about cluster tokens that outlive the revoked token that made them, and about others who can use what is granted. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        List<String> left = goingOn.entrySet().stream()
                .filter(one -> powers.sees(one.getValue()))
                .map(one -> one.getKey() + " of "
                        + StoredToken.of(one.getValue()).holder().replaceFirst("^cluster:", "cluster/"))
                .toList();
        if (!left.isEmpty()) {
            String others = left.size() > MOST_NAMED ? " and " + (left.size() - MOST_NAMED) + " more" : "";
            warnings.add("tokens of clusters that were made with what is revoked go on working: "
                    + String.join(", ", left.subList(0, Math.min(left.size(), MOST_NAMED))) + others);
        }
        warnings.addAll(ofGrants());
        return warnings;
    }

    private List<String> ofGrants() {
        return grantedTokens().entrySet().stream()
                .filter(one -> powers.sees(one.getValue()))
                .map(one -> {
                    StoredToken token = StoredToken.of(one.getValue());
                    String maker =
                            token.madeBy().isEmpty() ? one.getValue().created().by() : token.madeBy();
                    return token.holder() + " has the live " + one.getKey() + ", made by " + maker
                            + (token.limits().isUnlimited() ? "" : ", within that maker's limits");
                })
                .toList();
    }

    /** Live tokens of the subjects that something is granted to. */
    private Map<DocumentKey, Document> grantedTokens() {
        Map<DocumentKey, Document> tokens = new TreeMap<>();
        draft.changes().forEach((key, after) -> {
            if (key.type().equals(Types.ACCESS_GRANT) && after.isPresent()) {
                String subject = after.get().tree().path("subject").stringValue("");
                for (DocumentKey token : draft.before().users(AccessKeys.tokensOf(subject))) {
                    draft.find(token)
                            .filter(one -> one.fault().isEmpty()
                                    && StoredToken.of(one).access() == Caller.Access.GRANTED
                                    && TokenLife.isLive(draft.view(), one, now))
                            .ifPresent(one -> tokens.put(token, one));
                }
            }
        });
        return tokens;
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
