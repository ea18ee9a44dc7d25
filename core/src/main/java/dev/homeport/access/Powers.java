package dev.homeport.access;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.problem.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All that one caller may see and do in one state of the fleet: the one place that decides. Writes, reads, lists, counts, the
 * stream and dry runs ask it; it looks at what is stored, never at what a request claims. What is not granted is refused.
 */
public final class Powers {
    private static final Set<String> ROOT_TYPES =
            Set.of(Types.CLUSTER, Types.PLATFORM_COMPONENT, Types.NAMESPACE, Types.ROLEBINDING);

    /** The catalog and the vocabulary of the fleet: the right to read such documents anywhere includes all of them. */
    private static final Set<String> SHARED =
            Set.of(Types.CLUSTER_TEMPLATE, Types.ENVIRONMENT, Types.TYPE, Types.ACCESS_ROLE);

    private final AccessView view;
    private final Caller caller;
    private final List<Holding> holdings;
    private final boolean platformAdmin;
    private final boolean seesAll;
    private final Delegation delegation;

    private Powers(AccessView view, Caller caller, List<Holding> holdings) {
        this.view = view;
        this.caller = caller;
        this.holdings = List.copyOf(holdings);
        this.delegation = new Delegation(view, caller, this.holdings);
        this.platformAdmin = holdings.stream().anyMatch(Holding::isPlatformAdmin);
        // The compatibility tokens come through paths of their own, which show nothing but their four types.
        this.seesAll = platformAdmin
                || caller.actor().kind() == Actor.Kind.COMPAT
                || holdings.stream()
                        .anyMatch(holding -> holding.place().equals(Place.FLEET)
                                && holding.rule().hasVerb(Verb.READ.word())
                                && holding.rule().types().contains(Rule.ALL));
    }

    public static Powers of(AccessView view, Caller caller, Instant now) {
        Holding everything = new Holding(Rule.EVERYTHING, Place.FLEET, true, true, "", "", null);
        List<Holding> holdings = switch (caller.access()) {
            case SYSTEM, ADMIN -> List.of(everything);
            case READER -> List.of(Holding.byToken(new Rule(Set.of("read", "audit"), Set.of(Rule.ALL)), false));
            case COMPAT_READER -> List.of(Holding.byToken(new Rule(Set.of("read"), ROOT_TYPES), false));
            case COMPAT_WRITER ->
                List.of(Holding.byToken(new Rule(Set.of("read", "create", "update", "delete"), ROOT_TYPES), true));
            case GRANTED -> granted(view, caller, now);
            case CLUSTER, NOBODY -> List.of();
        };
        return new Powers(view, caller, caller.limits().applied(holdings, view, now));
    }

    /** What a token that the caller makes may use at most. */
    public Limits limits() {
        boolean forGood = holdings.stream().anyMatch(holding -> holding.isPlatformAdmin() && holding.until() == null);
        return forGood ? Limits.NONE : Limits.of(holdings);
    }

    private static List<Holding> granted(AccessView view, Caller caller, Instant now) {
        List<Holding> holdings = new ArrayList<>();
        caller.subjects()
                .forEach(subject -> grants(view, subject)
                        .filter(grant ->
                                grant.body().isLive(now) && grant.body().isStillMeant(view))
                        .forEach(grant -> holdings.addAll(holdings(view, grant))));
        return holdings;
    }

    private record NamedGrant(String id, Grant body) {}

    private static Stream<NamedGrant> grants(AccessView view, String subject) {
        List<NamedGrant> all = new ArrayList<>();
        for (DocumentKey key : view.users(AccessKeys.grantsTo(subject))) {
            Document document = view.document(key.type(), key.id());
            if (key.type().equals(Types.ACCESS_GRANT)
                    && document != null
                    && document.fault().isEmpty()) {
                all.add(new NamedGrant(key.id(), Grant.of(document)));
            }
        }
        return all.stream();
    }

    private static List<Holding> holdings(AccessView view, NamedGrant named) {
        Grant grant = named.body();
        Document role = view.document(Types.ACCESS_ROLE, grant.role());
        Set<String> environments = grant.place().environments();
        boolean nowhere = environments != null && environments.isEmpty();
        if (role == null || role.fault().isPresent() || nowhere) {
            return List.of();
        }
        Role held = Role.of(role);
        return held.rules().stream()
                .map(rule -> rule.narrowed(grant.verbs(), grant.types(), view))
                .map(rule -> new Holding(
                        rule,
                        grant.place(),
                        held.clusterScoped(),
                        rule.isEverything() && grant.place().equals(Place.FLEET),
                        grant.role(),
                        named.id(),
                        grant.expiresAt()))
                .toList();
    }

    public Caller caller() {
        return caller;
    }

    /** Whether the caller may do anything on the admin plane. */
    public boolean any() {
        return !holdings.isEmpty();
    }

    public boolean isPlatformAdmin() {
        return platformAdmin;
    }

    /** Whether the caller sees everything. */
    public boolean seesAll() {
        return seesAll;
    }

    /** A right as it is shown to its holder; the token's own rights have no grant. */
    public record Held(String role, String grant, String where) {}

    public List<Held> held() {
        return holdings.stream()
                .map(holding -> new Held(
                        holding.role(), holding.grant(), holding.place().toString()))
                .distinct()
                .toList();
    }

    /** Where the caller may do this with documents of the type. */
    public List<Place> places(Verb verb, String type) {
        return holdings.stream()
                .filter(holding -> holding.allows(verb.word(), type, view))
                .map(Holding::place)
                .distinct()
                .toList();
    }

    private boolean may(Verb verb, String type, Place place) {
        return holdings.stream()
                .anyMatch(holding -> holding.allows(verb.word(), type, view)
                        && holding.place().covers(place));
    }

    private boolean mayAnywhere(Verb verb, String type) {
        return holdings.stream().anyMatch(holding -> holding.allows(verb.word(), type, view));
    }

    /** Whether the caller may do this for the whole fleet. */
    public boolean mayEverywhere(Verb verb, String type) {
        return may(verb, type, Place.FLEET);
    }

    /** Whether a single right allows this everywhere in a part of the fleet, not only on some documents in it. */
    public boolean mayThroughout(Verb verb, String type, Place place) {
        return may(verb, type, place);
    }

    /**
     * Whether a document, of now or of the past, is there for the caller. One that is not is answered like one that does not
     * exist.
     */
    public boolean sees(Document document) {
        if (seesAll) {
            return true;
        }
        return switch (document.type()) {
            case Types.CLUSTER -> reads(Types.CLUSTER, Places.ofCluster(document.id(), document), document);
            case Types.CLUSTER_LIFE ->
                reads(
                        Types.CLUSTER,
                        Places.ofCluster(document.id(), view.document(Types.CLUSTER, document.id())),
                        document);
            case Types.WORKSPACE -> seesWorkspace(document);
            case Types.ACCESS_GRANT -> seesGrant(document);
            case Types.TOKEN -> seesToken(document);
            case Types.FREEZE -> seesFreeze(document);
            default -> seesType(document.type());
        };
    }

    /**
     * Whether all documents of a type are there for the caller, or none; empty for a type of which {@link #sees} decides for each
     * document.
     */
    public Optional<Boolean> seesAllOf(String type) {
        return switch (type) {
            case Types.CLUSTER, Types.CLUSTER_LIFE, Types.WORKSPACE, Types.ACCESS_GRANT, Types.TOKEN, Types.FREEZE ->
                seesAll ? Optional.of(true) : Optional.empty();
            default -> Optional.of(seesAll || seesType(type));
        };
    }

    private boolean seesType(String type) {
        return isShared(type) ? mayAnywhere(Verb.READ, type) : may(Verb.READ, type, Place.FLEET);
    }

    private boolean reads(String type, Place place, Document document) {
        return holdings.stream()
                .anyMatch(holding -> holding.allows(Verb.READ.word(), type, view) && reaches(holding, place, document));
    }

    /**
     * Whether a right reaches what a document says of a place. Names are used again: a right is about the workspace, cluster or
     * environment that has the name now, and not about an earlier one. A right on one cluster shows nothing of another workspace
     * that the cluster was in.
     */
    private boolean reaches(Holding holding, Place place, Document document) {
        Place held = holding.place();
        long at = document.updated().revision();
        if (!held.covers(place)
                || held.workspace() != null && isLaterThan(at, Types.WORKSPACE, held.workspace())
                || held.environments() != null
                        && place.environments() != null
                        && place.environments().stream().anyMatch(id -> isLaterThan(at, Types.ENVIRONMENT, id))) {
            return false;
        }
        String cluster = held.cluster();
        return cluster == null
                || !isLaterThan(at, Types.CLUSTER, cluster)
                        && Objects.equals(
                                place.workspace(),
                                Places.ofCluster(cluster, view.document(Types.CLUSTER, cluster))
                                        .workspace());
    }

    private boolean isLaterThan(long revision, String type, String id) {
        Document there = view.document(type, id);
        return there == null || there.created().revision() > revision;
    }

    /**
     * Rights on one environment do not show all workspaces, but a caller who may set a workspace's values for it must see
     * them.
     */
    private boolean seesWorkspace(Document document) {
        Place place = new Place(null, document.id(), Set.of());
        return holdings.stream()
                .anyMatch(holding -> reaches(holding, place, document)
                        && (holding.allows(Verb.UPDATE.word(), Types.WORKSPACE, view)
                                || holding.allows(Verb.READ.word(), Types.WORKSPACE, view)
                                        && (holding.place().environments() == null
                                                || holding.place().workspace() != null)));
    }

    private boolean isShared(String type) {
        return SHARED.contains(type)
                || view.types()
                        .named(type)
                        .map(known -> known.part() == TypeDefinition.Part.ITEM)
                        .orElse(false);
    }

    private boolean seesGrant(Document document) {
        if (document.fault().isPresent()) {
            return may(Verb.READ, Types.ACCESS_GRANT, Place.FLEET);
        }
        Grant grant = Grant.of(document);
        return caller.subjects().anyMatch(grant.subject()::equals)
                || reads(Types.ACCESS_GRANT, grant.target(view), document);
    }

    private boolean seesFreeze(Document document) {
        Place place = Places.of(document, Optional.of(document), Optional.of(document), view);
        boolean forMany = place.cluster() == null && place.workspace() == null;
        // A freeze holds whatever has the name now, so it is seen even if it is older than that.
        Document present = view.document(Types.FREEZE, document.id());
        boolean inForce = present != null
                && present.updated().revision() == document.updated().revision();
        return forMany
                ? mayAnywhere(Verb.READ, Types.FREEZE)
                : inForce ? may(Verb.READ, Types.FREEZE, place) : reads(Types.FREEZE, place, document);
    }

    private boolean seesToken(Document document) {
        if (reads(Types.TOKEN, Places.ofToken(document, view), document)) {
            return true;
        }
        if (document.fault().isPresent()) {
            return false;
        }
        StoredToken token = StoredToken.of(document);
        return isOwn(token) || reachesService(Verb.READ, token);
    }

    private boolean isOwn(StoredToken token) {
        return !token.isForCluster() && caller.actor().toString().equals(token.kind() + ":" + token.subject());
    }

    /** A service has the scope of its grants: the caller must have rights on all of it. */
    private boolean reachesService(Verb verb, StoredToken token) {
        List<NamedGrant> grants = token.kind().equals("service")
                ? grants(view, "service:" + token.subject()).toList()
                : List.of();
        return !grants.isEmpty()
                && grants.stream()
                        .allMatch(grant -> may(verb, Types.TOKEN, grant.body().target(view)));
    }

    /**
     * Why the caller may not do this, or nothing. Checked for each document that a request changes; a move needs rights on
     * both sides.
     */
    public Optional<Refusal> refusal(Verb verb, Optional<Document> before, Optional<Document> after) {
        Optional<Document> some = after.or(() -> before);
        if (some.isPresent()
                && BuiltInRoles.contains(some.get().key())
                && caller.access() != Caller.Access.SYSTEM
                && verb != Verb.READ) {
            return Optional.of(new Refusal(some.get().key() + " is one of Homeport's own roles", "", ""));
        }
        if (platformAdmin) {
            return after.flatMap(this::outlasts);
        }
        if (some.isEmpty()) {
            return Optional.of(new Refusal(caller.actor() + " may not " + verb.word() + " this", "", ""));
        }
        return switch (some.get().type()) {
            case Types.TOKEN -> tokenRefusal(verb, some.get(), before, after);
            default ->
                documentRefusal(verb, some.get(), before, after)
                        .or(() -> after.flatMap(now -> furtherRefusal(before, now)));
        };
    }

    /** What a platform admin whose grant ends gives to others ends with it. */
    private Optional<Refusal> outlasts(Document given) {
        boolean forGood = holdings.stream().anyMatch(holding -> holding.isPlatformAdmin() && holding.until() == null);
        if (forGood) {
            return Optional.empty();
        }
        return switch (given.type()) {
            case Types.ACCESS_GRANT -> delegation.refusesGrant(given);
            case Types.ACCESS_ROLE -> delegation.refusesRole(given);
            case Types.TOKEN -> delegation.refusesToken(given);
            default -> Optional.empty();
        };
    }

    /** Why the caller may not do what a change makes possible, now or later. */
    private Optional<Refusal> furtherRefusal(Optional<Document> before, Document after) {
        List<RequiredRight> needed = new ArrayList<>(ScheduledActions.of(before, after));
        before.ifPresent(old -> needed.addAll(SensitiveFields.of(old, after, view)));
        for (RequiredRight right : needed) {
            for (Document side : sides(before, Optional.of(after))) {
                Place place = decided(side, Places.of(side, before, Optional.of(after), view));
                if (!may(right.verb(), right.type(), place)) {
                    return Optional.of(BuiltInRoles.refusal(
                            caller.actor() + " may not " + right.what() + ": this needs "
                                    + right.verb().word() + " on " + right.type() + " in " + place,
                            right.verb(),
                            right.type(),
                            place,
                            view));
                }
            }
        }
        return ScheduledActions.removal(before, after)
                .flatMap(later ->
                        documentRefusal(Verb.UPDATE, after, Optional.of(later.before()), Optional.of(later.after())));
    }

    private Optional<Refusal> documentRefusal(
            Verb verb, Document any, Optional<Document> before, Optional<Document> after) {
        boolean whole = true;
        boolean tenant = false;
        for (Document side : sides(before, after)) {
            Place place = decided(side, Places.of(side, before, after, view));
            List<Holding> enough = holdings.stream()
                    .filter(holding -> holding.allows(verb.word(), any.type(), view)
                            && holding.place().covers(place))
                    .toList();
            if (enough.isEmpty()) {
                return Optional.of(lacking(verb, any, place));
            }
            whole &= enough.stream().anyMatch(Holding::clusterScoped);
            tenant |= enough.stream()
                    .allMatch(holding -> holding.place().workspace() != null
                            || holding.place().cluster() != null);
        }
        if (caller.access() == Caller.Access.COMPAT_WRITER) {
            return Optional.empty();
        }
        Optional<String> field = PlatformFields.touched(before, after, view);
        if (field.isPresent()) {
            return Optional.of(BuiltInRoles.needs(
                    BuiltInRoles.PLATFORM_ADMIN,
                    caller.actor() + " may not " + verb.word() + " " + any.key() + ": " + field.get()
                            + " is for platform admins",
                    Place.FLEET));
        }
        if (any.type().equals(Types.ACCESS_GRANT) || any.type().equals(Types.ACCESS_ROLE)) {
            Optional<Refusal> unheld = sides(before, after).stream()
                    .map(side -> any.type().equals(Types.ACCESS_GRANT)
                            ? after.filter(now -> now == side).isPresent()
                                    ? delegation.refusesGrant(side)
                                    : delegation.refusesTaking(side)
                            : delegation.refusesRole(side))
                    .flatMap(Optional::stream)
                    .findFirst();
            if (unheld.isPresent()) {
                return unheld;
            }
        }
        return whole
                ? Optional.empty()
                : Confinement.breach(before, after, view, tenant)
                        .map(breach -> BuiltInRoles.needs(
                                BuiltInRoles.CLUSTER_ADMIN,
                                caller.actor() + " may not " + verb.word() + " " + any.key()
                                        + " like this, only within a workspace: " + breach,
                                Places.of(any, before, after, view)));
    }

    private static List<Document> sides(Optional<Document> before, Optional<Document> after) {
        return Stream.of(before, after).flatMap(Optional::stream).toList();
    }

    private Refusal lacking(Verb verb, Document any, Place where) {
        Place place = decided(any, where);
        return BuiltInRoles.refusal(
                caller.actor() + " may not " + verb.word() + " " + any.key() + " in " + place,
                verb,
                any.type(),
                place,
                view);
    }

    /**
     * Of what is about a cluster, such as a grant, it is decided as if a hidden cluster did not exist. Where a cluster's own
     * document puts it, the caller has seen or says.
     */
    private Place decided(Document side, Place place) {
        return side.type().equals(Types.CLUSTER) ? place : shown(place);
    }

    /** Where a cluster is that the caller does not see is not for the caller to know either. */
    private Place shown(Place where) {
        boolean hidden = where.cluster() != null && isHidden(Types.CLUSTER, where.cluster());
        return hidden ? Places.ofCluster(String.valueOf(where.cluster()), null) : where;
    }

    /** The creator of a token can act as its subject, so the creator needs all rights that the subject has. */
    private Optional<Refusal> tokenRefusal(
            Verb verb, Document any, Optional<Document> before, Optional<Document> after) {
        for (Document side : sides(before, after)) {
            boolean allowed = side.fault().isPresent()
                    ? may(verb, Types.TOKEN, Place.FLEET)
                    : mayHandle(verb, side, after.isEmpty());
            if (!allowed) {
                return Optional.of(lacking(verb, any, Places.ofToken(side, view)));
            }
        }
        return before.filter(old -> after.filter(now -> ScheduledActions.endsSooner(old, now))
                                .isPresent()
                        && !mayRevoke(old))
                .map(old -> {
                    Place place = shown(Places.ofToken(old, view));
                    return BuiltInRoles.refusal(
                            caller.actor() + " may not bring the end of " + any.key()
                                    + " nearer: this needs delete on token in " + place,
                            Verb.DELETE,
                            Types.TOKEN,
                            place,
                            view);
                });
    }

    /** A token that ends sooner is one revoked then, with all that was made with it. */
    private boolean mayRevoke(Document token) {
        return token.fault().isPresent()
                ? may(Verb.DELETE, Types.TOKEN, Place.FLEET)
                : mayHandle(Verb.DELETE, token, true);
    }

    private boolean mayHandle(Verb verb, Document document, boolean revoking) {
        StoredToken token = StoredToken.of(document);
        if (token.isForCluster()) {
            return may(verb, Types.TOKEN, Places.ofToken(document, view));
        }
        if (revoking && isOwn(token)) {
            return true;
        }
        if (token.access() != Caller.Access.GRANTED) {
            return token.access() == Caller.Access.READER
                    && delegation.holdsInFleet(new Rule(Set.of("read", "audit"), Set.of(Rule.ALL)))
                    && may(verb, Types.TOKEN, Place.FLEET);
        }
        if (isOwn(token) && caller.access() == Caller.Access.GRANTED) {
            return true;
        }
        boolean reached = reachesService(verb, token) || revoking && may(verb, Types.TOKEN, Place.FLEET);
        return reached
                && grants(view, token.kind() + ":" + token.subject()).allMatch(grant -> delegation.holds(grant.body()));
    }

    /** A text for the caller: documents that the caller does not see are not named in it. */
    public String discreet(String text) {
        return seesAll ? text : new Redactor(this).discreet(text);
    }

    /** A refusal in the words that a refused request is answered with. */
    public Refusal discreet(Refusal refusal) {
        Problem said = discreet(new Problem.Refused(ErrorCode.FORBIDDEN, refusal.reason(), refusal.where()));
        return new Refusal(said.detail(), refusal.role(), said.next());
    }

    /** A problem whose texts name nothing that the caller does not see. */
    public Problem discreet(Problem problem) {
        return seesAll ? problem : new Redactor(this).discreet(problem);
    }

    /** Whether a document exists, but is hidden from the caller. */
    public boolean isHidden(String type, String id) {
        Document document = view.document(type, id);
        return document != null && !sees(document);
    }

    /** Whatever is no document's name counts as seen. */
    boolean isSeen(String type, String id) {
        Document document = view.document(type, id);
        return document == null ? view.types().named(type).isEmpty() : sees(document);
    }
}
