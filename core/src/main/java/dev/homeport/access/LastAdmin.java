package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.Types;
import dev.homeport.fleet.FleetView;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a platform admin can still sign in, now and later: with a token that does not expire, or by a grant that does not.
 * Tokens and grants with an expiry do not count, so no clock can lock out every admin.
 */
public final class LastAdmin {
    private static final Set<String> CONCERNED = Set.of(Types.TOKEN, Types.ACCESS_GRANT, Types.ACCESS_ROLE);

    private final AccessView before;
    private final FleetView view;
    private final Collection<DocumentKey> changed;
    private final boolean peopleSignIn;

    private LastAdmin(AccessView before, FleetView view, Collection<DocumentKey> changed, boolean peopleSignIn) {
        this.before = before;
        this.view = view;
        this.changed = changed;
        this.peopleSignIn = peopleSignIn;
    }

    /**
     * True if there was one before the change and not after it.
     *
     * @param peopleSignIn people and groups authenticate at an identity provider, without a token
     */
    public static boolean isRemoved(
            AccessView before, FleetView after, Collection<DocumentKey> changed, boolean peopleSignIn) {
        return changed.stream().anyMatch(key -> CONCERNED.contains(key.type()))
                && new LastAdmin(before, before, changed, peopleSignIn).isThere()
                && !new LastAdmin(before, after, changed, peopleSignIn).isThere();
    }

    private boolean isThere() {
        return keys(AccessKeys.ADMIN_TOKENS, Types.TOKEN).stream()
                        .anyMatch(key -> isLasting(key, Caller.Access.ADMIN, null))
                || keys(AccessKeys.FLEET_GRANTS, Types.ACCESS_GRANT).stream().anyMatch(this::isAdmins);
    }

    private Set<DocumentKey> keys(String index, String type) {
        Set<DocumentKey> keys = new TreeSet<>();
        before.users(index).forEach(keys::add);
        changed.stream().filter(key -> key.type().equals(type)).forEach(keys::add);
        return keys;
    }

    private boolean isLasting(DocumentKey key, Caller.Access access, @Nullable String subject) {
        Document document = view.document(key.type(), key.id());
        if (document == null || document.fault().isPresent()) {
            return false;
        }
        StoredToken token = StoredToken.of(document);
        return token.access() == access
                && !token.revoked()
                && token.expiresAt() == null
                && token.limits().isUnlimited()
                && (subject == null || subject.equals(token.kind() + ":" + token.subject()));
    }

    private boolean isAdmins(DocumentKey key) {
        Document document = view.document(key.type(), key.id());
        if (document == null || document.fault().isPresent()) {
            return false;
        }
        Grant grant = Grant.of(document);
        Document role = view.document(Types.ACCESS_ROLE, grant.role());
        boolean everything = grant.place().equals(Place.FLEET)
                && grant.expiresAt() == null
                && grant.verbs().isEmpty()
                && grant.types().isEmpty()
                && role != null
                && role.fault().isEmpty()
                && Role.of(role).rules().stream().anyMatch(Rule::isEverything);
        return everything
                && (peopleSignIn && !grant.subject().startsWith("service:")
                        || keys(AccessKeys.tokensOf(grant.subject()), Types.TOKEN).stream()
                                .anyMatch(token -> isLasting(token, Caller.Access.GRANTED, grant.subject())));
    }
}
