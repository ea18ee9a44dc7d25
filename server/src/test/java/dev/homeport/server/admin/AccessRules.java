package dev.homeport.server.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What each kind of caller is to be answered, said a second time and in other words than the product's. */
final class AccessRules {
    private AccessRules() {}

    /** Kinds of callers; those with a role hold it in the scope. */
    enum Principal {
        NONE("", ""),
        CLUSTER("", ""),
        JOIN("", ""),
        COMPAT_READER("", ""),
        COMPAT_WRITER("", ""),
        UNGRANTED("", ""),
        VIEWER("viewer", "{\"workspace\":\"own\"}"),
        /** By the token of an identity provider, in a group that is a workspace's admin. */
        MEMBER("workspace-admin", "{\"workspace\":\"own\"}"),
        SERVICE("service", "{\"workspace\":\"own\"}"),
        WORKSPACE_ADMIN("workspace-admin", "{\"workspace\":\"own\"}"),
        CLUSTER_ADMIN("cluster-admin", "{\"cluster\":\"own\"}"),
        AUDITOR("auditor", "{\"fleet\":true}"),
        OPERATOR("operator", "{\"fleet\":true}"),
        READER("", ""),
        ADMIN("", "");

        private final String role;
        private final String scope;

        Principal(String role, String scope) {
            this.role = role;
            this.scope = scope;
        }

        String role() {
            return role;
        }

        String scope() {
            return scope;
        }

        boolean enters() {
            return compareTo(VIEWER) >= 0;
        }

        boolean everywhere() {
            return compareTo(AUDITOR) >= 0;
        }
    }

    /** Whose object it is. */
    enum Which {
        OWN,
        FOREIGN,
        ABSENT,
        /** There is no object. */
        NONE
    }

    static final Map<String, String> TYPES = new TreeMap<>(Map.ofEntries(
            Map.entry("cluster", "clusters"),
            Map.entry("workspace", "workspaces"),
            Map.entry("freeze", "freezes"),
            Map.entry("access_grant", "access-grants"),
            Map.entry("token", "tokens"),
            Map.entry("environment", "environments"),
            Map.entry("cluster_template", "cluster-templates"),
            Map.entry("platform_component", "platform-components"),
            Map.entry("namespace", "namespaces"),
            Map.entry("rolebinding", "rolebindings"),
            Map.entry("widget", "widgets"),
            Map.entry("type", "types"),
            Map.entry("access_role", "access-roles"),
            Map.entry("probe", "probes"),
            Map.entry("settings", "settings")));

    private static final Set<String> PLACED = Set.of("cluster", "workspace", "freeze", "access_grant", "token");
    private static final Set<String> ITEMS = Set.of("platform_component", "namespace", "rolebinding", "widget");
    private static final Set<String> WORDS =
            Set.of("environment", "cluster_template", "type", "access_role", "cluster", "workspace", "freeze");

    static Optional<String> id(String type, Which which) {
        if (PLACED.contains(type)) {
            return which == Which.OWN ? Optional.of("own") : Optional.of("foreign");
        }
        if (which == Which.FOREIGN) {
            return Optional.empty();
        }
        return Optional.of(
                switch (type) {
                    case "environment" -> "dev";
                    case "settings" -> "fleet";
                    case "type" -> "widget";
                    default -> "shared";
                });
    }

    /** A field that holds any text. */
    static String field(String type) {
        return type.equals("freeze") || type.equals("access_grant") ? "reason" : "description";
    }

    static String creation(String type, Which which) {
        String side = which == Which.OWN ? "own" : "foreign";
        String spec = switch (type) {
            case "cluster" -> Fleet.clusterSpec("made", "dev", "{\"workspace\":\"" + side + "\"}");
            case "freeze" -> "{\"scope\":{\"workspace\":\"" + side + "\"},\"reason\":\"x\"}";
            case "access_grant" ->
                "{\"subject\":\"person:x1\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"" + side + "\"}}";
            case "platform_component" ->
                "{\"component_path\":\"a/b\",\"component_version\":\"1.0.0\",\"oci_url\":\"oci://r.example.com/a\","
                        + "\"oci_tag\":\"v1\"}";
            case "rolebinding" ->
                "{\"role\":\"view\",\"namespace\":\"shared\",\"subjects\":[{\"kind\":\"Group\",\"name\":\"team\"}]}";
            case "probe" ->
                "{\"object\":{\"api_version\":\"v1\",\"kind\":\"Node\",\"name\":\"a\"},\"expression\":\"true\"}";
            case "type" -> "{\"plural\":\"gadgets\",\"schema\":{\"type\":\"object\"}}";
            case "access_role" -> "{\"permissions\":[{\"verbs\":[\"read\"],\"types\":[\"cluster\"]}]}";
            default -> "{}";
        };
        String id = type.equals("settings") ? "fleet" : type.equals("type") ? "gadget" : "made";
        return "{\"id\":\"" + id + "\",\"spec\":" + spec + "}";
    }

    /** Root paths have no dry run: these bodies say nothing, which is refused or changes nothing. */
    static String rootBody(String operation) {
        return operation.endsWith("_create") || operation.endsWith("_update") ? "{}" : "";
    }

    static boolean reads(Principal principal, String type) {
        return switch (principal) {
            case ADMIN, READER, AUDITOR -> true;
            case OPERATOR ->
                WORDS.contains(type)
                        || ITEMS.contains(type)
                        || Set.of("settings", "token").contains(type);
            case WORKSPACE_ADMIN, CLUSTER_ADMIN, MEMBER ->
                WORDS.contains(type)
                        || ITEMS.contains(type)
                        || Set.of("access_grant", "token").contains(type);
            case VIEWER, SERVICE -> WORDS.contains(type) || ITEMS.contains(type);
            default -> false;
        };
    }

    static boolean sees(Principal principal, String type, Which which) {
        if (which == Which.ABSENT || !reads(principal, type)) {
            return false;
        }
        if (principal.everywhere()) {
            return true;
        }
        if (type.equals("settings")) {
            return false;
        }
        if (!PLACED.contains(type)) {
            return true;
        }
        boolean ofTheCluster = type.equals("cluster") || type.equals("token");
        return which == Which.OWN && (principal != Principal.CLUSTER_ADMIN || ofTheCluster);
    }

    static boolean may(Principal principal, String verb, String type) {
        Set<String> ofClusters =
                Set.of("create", "update", "delete", "decommission", "undelete", "detach", "purge", "pause", "resume");
        Set<String> documents = Set.of("create", "update", "delete");
        return switch (principal) {
            case ADMIN -> true;
            case SERVICE ->
                verb.equals("update") && Set.of("cluster", "workspace").contains(type);
            case WORKSPACE_ADMIN, MEMBER ->
                type.equals("cluster") && ofClusters.contains(verb)
                        || type.equals("workspace") && verb.equals("update")
                        || Set.of("freeze", "token", "access_grant").contains(type) && documents.contains(verb);
            // One cluster: documents of the workspace are not included.
            case CLUSTER_ADMIN ->
                type.equals("cluster") && ofClusters.contains(verb) && !verb.equals("create")
                        || type.equals("token") && documents.contains(verb);
            case OPERATOR ->
                type.equals("cluster") && ofClusters.contains(verb)
                        || Set.of("workspace", "environment").contains(type) && verb.equals("update")
                        || type.equals("platform_component")
                                && Set.of("update", "delete").contains(verb)
                        || Set.of("namespace", "rolebinding", "widget", "freeze", "token")
                                        .contains(type)
                                && documents.contains(verb);
            default -> false;
        };
    }

    /** What an operation does to what. */
    interface Answer {
        int of(Principal principal, Which which);
    }

    record Rule(String type, List<Which> objects, boolean dry, Answer answer) {
        int expected(Principal principal, Which which) {
            return answer.of(principal, which);
        }

        String id(Which which, Map<String, String> tokens) {
            if (which == Which.NONE) {
                return "own";
            }
            if (which == Which.ABSENT) {
                return "absent";
            }
            String id = AccessRules.id(type, which).orElse("");
            return type.equals("token") ? tokens.get(id) : id;
        }
    }

    private static List<Which> objects(String type) {
        return PLACED.contains(type)
                ? List.of(Which.OWN, Which.FOREIGN, Which.ABSENT)
                : List.of(Which.OWN, Which.ABSENT);
    }

    /** What every operation of the admin plane asks first. */
    private static Answer entering(Answer inside) {
        return (principal, which) ->
                principal == Principal.NONE ? 401 : principal.enters() ? inside.of(principal, which) : 403;
    }

    private static Rule read(String type) {
        return new Rule(type, objects(type), false, entering((who, which) -> sees(who, type, which) ? 200 : 404));
    }

    private static Rule write(String type, String verb, int done) {
        return new Rule(
                type,
                objects(type),
                true,
                entering((who, which) -> !sees(who, type, which) ? 404 : may(who, verb, type) ? done : 403));
    }

    /** The state is checked first, and is the wrong one for every caller who sees it. */
    private static Rule inWrongPhase() {
        return new Rule(
                "cluster", objects("cluster"), true, entering((who, which) -> sees(who, "cluster", which) ? 409 : 404));
    }

    private static Rule open() {
        return new Rule("", List.of(Which.NONE), false, (who, which) -> 200);
    }

    private static Rule any(Answer inside) {
        return new Rule("", List.of(Which.NONE), false, entering(inside));
    }

    static Optional<Rule> rule(String base, String type, String path) {
        if (base.startsWith("root_")) {
            return Optional.of(root(base));
        }
        if (base.startsWith("poll_")) {
            return Optional.of(poll(base));
        }
        return Optional.ofNullable(
                switch (base) {
                    case "listDocuments" -> any((who, which) -> 200);
                    case "getDocument", "listRevisions" -> read(type);
                    case "createDocument" -> create(type);
                    case "replaceDocument", "patchDocument", "restoreDocument" -> write(type, "update", 200);
                    case "deleteDocument" ->
                        write(
                                type,
                                "delete",
                                Set.of("workspace", "environment", "type").contains(type) ? 409 : 200);
                    case "listProbeResults" -> read("probe");
                    case "getPayload", "explainCluster", "diffCluster", "getDelivery" -> read("cluster");
                    case "decommissionCluster" -> write("cluster", "decommission", 200);
                    case "detachCluster" -> write("cluster", "detach", 200);
                    case "pauseCluster" -> write("cluster", "pause", 200);
                    case "undeleteCluster", "purgeCluster", "resumeCluster", "repairCluster" -> inWrongPhase();
                    case "cloneCluster" -> write("cluster", "create", 200);
                    case "createToken", "bootstrapClusters" -> token();
                    case "bootstrapCluster" ->
                        new Rule(
                                "cluster",
                                objects("cluster"),
                                true,
                                entering((who, which) ->
                                        !sees(who, "cluster", which) ? 404 : may(who, "create", "token") ? 200 : 403));
                    case "rotateToken" -> write("token", "update", 200);
                    case "revokeToken" -> write("token", "delete", 200);
                    case "listChanges", "listTypes", "exportFleet", "exportGit", "stream", "listFindings" ->
                        any((who, which) -> 200);
                    case "getChange" -> read("cluster");
                    case "createChange" -> write("cluster", "update", 200);
                    case "revertChange" -> write("cluster", "update", 200);
                    case "importFleet" -> importing();
                    case "signOutEverywhere" -> new Rule("", List.of(Which.NONE), true, entering((who, which) -> 200));
                    case "getMe" ->
                        new Rule("", List.of(Which.NONE), false, (who, which) -> who == Principal.NONE ? 401 : 200);
                    case "canI" ->
                        new Rule(
                                "cluster",
                                objects("cluster"),
                                false,
                                (who, which) -> who == Principal.NONE
                                        ? 401
                                        : sees(who, "cluster", which) || compat(who) && which != Which.ABSENT
                                                ? 200
                                                : 404);
                    case "join" ->
                        new Rule("", List.of(Which.NONE), false, (who, which) -> switch (who) {
                            case NONE -> 401;
                            case JOIN -> 201;
                            default -> 403;
                        });
                    case "metrics" ->
                        any((who, which) -> Set.of(Principal.ADMIN, Principal.READER, Principal.AUDITOR)
                                        .contains(who)
                                ? 200
                                : 403);
                    // Events are signed with a key of the cluster's; a token is nothing here.
                    case "post" -> new Rule("cluster", objects("cluster"), false, (who, which) -> 401);
                    // The browser is redirected to the provider; a callback without that is refused.
                    case "login" -> new Rule("", List.of(Which.NONE), false, (who, which) -> 302);
                    case "loginCallback" -> new Rule("", List.of(Which.NONE), false, (who, which) -> 400);
                    case "logout", "getSignIn" -> open();
                    case "health", "ready", "livez", "readyz", "openapi", "openapiYaml", "explainProblem" -> open();
                    default -> null;
                });
    }

    private static boolean compat(Principal principal) {
        return principal == Principal.COMPAT_READER || principal == Principal.COMPAT_WRITER;
    }

    private static Rule create(String type) {
        boolean placed = Set.of("cluster", "freeze", "access_grant").contains(type);
        int done = type.equals("settings") ? 409 : 200;
        return new Rule(
                type, placed ? List.of(Which.OWN, Which.FOREIGN) : List.of(Which.OWN), true, entering((who, which) -> {
                    boolean there = !placed || which == Which.OWN || who.everywhere();
                    boolean known = done == 409 && sees(who, type, which);
                    return known ? 409 : there && may(who, "create", type) ? done : 403;
                }));
    }

    /** A hidden cluster cannot be named as a subject. */
    private static Rule token() {
        return new Rule(
                "cluster",
                objects("cluster"),
                true,
                entering((who, which) -> !sees(who, "cluster", which) ? 422 : may(who, "create", "token") ? 200 : 403));
    }

    /** A hidden document would be created, with the owner that it names. */
    private static Rule importing() {
        return new Rule("cluster", objects("cluster"), true, entering((who, which) -> {
            if (sees(who, "cluster", which)) {
                return may(who, "update", "cluster") ? 200 : 403;
            }
            return who.everywhere() && may(who, "create", "cluster") ? 200 : 403;
        }));
    }

    private static Rule root(String operation) {
        String type = operation.contains("_clusters_")
                ? "cluster"
                : operation.contains("_namespaces_")
                        ? "namespace"
                        : operation.contains("_rolebindings_") ? "rolebinding" : "platform_component";
        boolean list = operation.endsWith("_list");
        boolean writes = !list && !operation.endsWith("_get");
        if (list) {
            return new Rule(
                    type,
                    List.of(Which.NONE),
                    false,
                    (who, which) -> rootEntry(who, false).orElse(200));
        }
        if (operation.endsWith("_create")) {
            return new Rule(
                    type,
                    List.of(Which.NONE),
                    false,
                    (who, which) -> rootEntry(who, true).orElse(400));
        }
        if (operation.endsWith("_delete")) {
            // There is no dry run here, so only missing ones are requested.
            return new Rule(
                    type,
                    List.of(Which.ABSENT),
                    false,
                    (who, which) -> rootEntry(who, true).orElse(404));
        }
        // An update without a field changes nothing, and so asks for no right.
        return new Rule(
                type,
                objects(type),
                false,
                (who, which) -> rootEntry(who, writes)
                        .orElse(sees(who, type, which) || compat(who) && which != Which.ABSENT ? 200 : 404));
    }

    private static Optional<Integer> rootEntry(Principal who, boolean writes) {
        boolean enters = who == Principal.COMPAT_WRITER
                || who == Principal.COMPAT_READER && !writes
                || who.enters() && !(writes && who == Principal.READER);
        if (enters) {
            return Optional.empty();
        }
        return Optional.of(who == Principal.NONE || writes ? 401 : 403);
    }

    /** Polls are for tokens and certificates; whom a provider vouches for reads the same as a payload. */
    private static boolean cannotPoll(Principal who) {
        return who == Principal.NONE || who == Principal.MEMBER;
    }

    /** The list is never cut to what a caller sees. */
    private static boolean readsEveryCluster(Principal who) {
        return who == Principal.COMPAT_READER || sees(who, "cluster", Which.FOREIGN);
    }

    private static Rule poll(String operation) {
        if (operation.equals("poll_clusters")) {
            return new Rule(
                    "cluster",
                    List.of(Which.NONE),
                    false,
                    (who, which) -> cannotPoll(who) ? 401 : readsEveryCluster(who) ? 200 : 403);
        }
        return new Rule("cluster", objects("cluster"), false, (who, which) -> {
            boolean served = switch (who) {
                case CLUSTER -> which == Which.OWN;
                case COMPAT_READER -> which != Which.ABSENT;
                default -> sees(who, "cluster", which);
            };
            return cannotPoll(who) ? 401 : served ? 200 : 404;
        });
    }
}
