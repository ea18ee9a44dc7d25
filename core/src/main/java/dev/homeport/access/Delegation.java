package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a caller may grant to others: no more than the caller has. */
final class Delegation {
    private static final Set<String> OF_CLUSTERS = Set.of(Types.CLUSTER, Types.TOKEN, Types.FREEZE, Types.ACCESS_GRANT);

    private final AccessView view;
    private final Caller caller;
    private final List<Holding> holdings;

    Delegation(AccessView view, Caller caller, List<Holding> holdings) {
        this.view = view;
        this.caller = caller;
        this.holdings = holdings;
    }

    /** A caller grants only rights that the caller holds, and for no longer. */
    Optional<Refusal> refusesGrant(Document document) {
        return document.fault().isPresent()
                ? Optional.empty()
                : refusesGrant(document, Grant.of(document).expiresAt());
    }

    /** Taking away needs the same rights, for however short a time. */
    Optional<Refusal> refusesTaking(Document document) {
        return refusesGrant(document, Instant.MIN);
    }

    private Optional<Refusal> refusesGrant(Document document, @Nullable Instant end) {
        if (document.fault().isPresent()) {
            return Optional.empty(); // only callers with rights on the fleet get here, to repair the grant
        }
        Grant grant = Grant.of(document);
        Document role = view.document(Types.ACCESS_ROLE, grant.role());
        if (role == null || role.fault().isPresent()) {
            return Optional.of(unheld(document, "the role " + grant.role() + " does not exist yet"));
        }
        Role wanted = Role.of(role);
        return wanted.rules().stream()
                .map(rule -> rule.narrowed(grant.verbs(), grant.types(), view))
                .flatMap(rule -> missing(rule, wanted.clusterScoped(), grant.target(view), end).stream())
                .findFirst()
                .map(what -> unheld(
                        document, what + " in " + grant.target(view) + " is more, or for longer, than you hold"));
    }

    Optional<Refusal> refusesRole(Document document) {
        if (document.fault().isPresent()) {
            return Optional.empty();
        }
        Role role = Role.of(document);
        return role.rules().stream()
                .flatMap(rule -> missing(rule, role.clusterScoped(), Place.FLEET, null).stream())
                .findFirst()
                .map(what -> unheld(document, what + " in the fleet is more, or for longer, than you hold"));
    }

    /** A token that holds rights by itself lasts no longer than its maker's grant. */
    Optional<Refusal> refusesToken(Document document) {
        if (document.fault().isPresent()) {
            return Optional.empty();
        }
        StoredToken token = StoredToken.of(document);
        boolean ownRights = token.access() == Caller.Access.ADMIN || token.access() == Caller.Access.READER;
        boolean lasts =
                holdings.stream().anyMatch(holding -> holding.isPlatformAdmin() && holding.lasts(token.expiresAt()));
        return !ownRights || token.revoked() || lasts
                ? Optional.empty()
                : Optional.of(unheld(document, "it would last longer than your own grant"));
    }

    private Refusal unheld(Document document, String why) {
        return BuiltInRoles.needs(
                BuiltInRoles.PLATFORM_ADMIN,
                caller.actor() + " may not give or take " + document.key() + ": " + why,
                Place.FLEET);
    }

    private Optional<String> missing(Rule rule, boolean clusterScoped, Place place, @Nullable Instant end) {
        for (String verb : rule.verbs()) {
            boolean harmless = verb.equals(Verb.READ.word()) || verb.equals(Verb.AUDIT.word());
            for (String type : rule.types()) {
                boolean held = holdings.stream()
                        .anyMatch(holding -> holding.rule().hasVerb(verb)
                                && holding.rule().hasType(type, view)
                                && holding.place().covers(place)
                                && holding.lasts(end)
                                && (harmless || !clusterScoped || holding.clusterScoped()));
                if (!held && (harmless || isReachable(type, place))) {
                    return Optional.of(verb + " on " + type);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a right to change documents of a type can mean anything there: the fleet's are no workspace's. */
    private static boolean isReachable(String type, Place place) {
        boolean part = place.workspace() != null || place.cluster() != null;
        return !part
                || type.equals(Rule.ALL)
                || OF_CLUSTERS.contains(type)
                || type.equals(Types.WORKSPACE) && place.cluster() == null;
    }

    /** Whether the caller could grant this rule for the whole fleet. */
    boolean holdsInFleet(Rule rule) {
        return missing(rule, false, Place.FLEET, Instant.MIN).isEmpty();
    }

    /** Whether the caller could grant all that the grant gives. */
    boolean holds(Grant grant) {
        Document role = view.document(Types.ACCESS_ROLE, grant.role());
        if (role == null || role.fault().isPresent()) {
            return false;
        }
        Role wanted = Role.of(role);
        return wanted.rules().stream()
                .map(rule -> rule.narrowed(grant.verbs(), grant.types(), view))
                .allMatch(rule -> missing(rule, wanted.clusterScoped(), grant.target(view), Instant.MIN)
                        .isEmpty());
    }
}
