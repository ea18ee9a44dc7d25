package dev.homeport.access;

import dev.homeport.document.Document;
import dev.homeport.document.Types;
import java.util.HashSet;
import java.util.Set;

/** Under which keys grants and tokens are indexed, so that a caller's rights are found without reading those of others. */
public final class AccessKeys {
    /** Tokens that hold every right by themselves. */
    static final String ADMIN_TOKENS = "access/admin-tokens";

    /** Join tokens that were used more than once. */
    public static final String REUSED_JOIN_TOKENS = "access/reused-join-tokens";

    /** Grants for the whole fleet: among them are those of the platform admins. */
    static final String FLEET_GRANTS = "access/fleet-grants";

    private AccessKeys() {}

    static String grantsTo(String subject) {
        return "access/grants-to/" + subject;
    }

    public static String tokensOf(String subject) {
        return "access/tokens-of/" + subject;
    }

    /** Tokens that end with this one. */
    public static String madeWith(String token) {
        return "access/made-with/" + token;
    }

    /** Tokens of clusters that this one made. They do not end with it. */
    public static String clusterTokensMadeWith(String token) {
        return "access/cluster-tokens-made-with/" + token;
    }

    /** Those of its own that were not revoked; some may have run out. */
    public static String tokensOfCluster(String id) {
        return tokensOf("cluster:" + id);
    }

    /** Grants whose scope is this one cluster. */
    public static String grantsOnCluster(String id) {
        return "access/grants-on/cluster:" + id;
    }

    /** Tokens to join with that were neither used nor revoked. */
    public static String joinTokensOfCluster(String id) {
        return tokensOf("join:" + id);
    }

    public static Set<String> of(Document document) {
        return switch (document.type()) {
            case Types.ACCESS_GRANT -> {
                Grant grant = Grant.of(document);
                yield switch (grant.scope()) {
                    case "fleet" -> Set.of(grantsTo(grant.subject()), FLEET_GRANTS);
                    case Types.CLUSTER -> Set.of(grantsTo(grant.subject()), grantsOnCluster(grant.scopeId()));
                    default -> Set.of(grantsTo(grant.subject()));
                };
            }
            case Types.TOKEN -> ofToken(document);
            default -> Set.of();
        };
    }

    private static Set<String> ofToken(Document document) {
        StoredToken token = StoredToken.of(document);
        Set<String> keys = new HashSet<>();
        // Join tokens are found below, as long as they were not used.
        if (!token.revoked() && !token.kind().equals("join")) {
            keys.add(tokensOf(token.holder()));
        }
        token.parents().forEach(parent -> keys.add(madeWith(parent)));
        String maker =
                token.kind().equals("cluster") ? document.tree().path("parent").stringValue("") : "";
        if (!maker.isEmpty()) {
            keys.add(clusterTokensMadeWith(maker));
        }
        if (token.access() == Caller.Access.ADMIN) {
            keys.add(ADMIN_TOKENS);
        }
        if (token.access() == Caller.Access.NOBODY) {
            keys.addAll(joinToken(document, token));
        }
        return keys;
    }

    private static Set<String> joinToken(Document document, StoredToken token) {
        if (document.tree().has("abused_at")) {
            return Set.of(REUSED_JOIN_TOKENS);
        }
        return token.revoked() || document.tree().has("used_at")
                ? Set.of()
                : Set.of(joinTokensOfCluster(token.subject()));
    }
}
