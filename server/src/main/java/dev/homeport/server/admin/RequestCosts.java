package dev.homeport.server.admin;

import dev.homeport.server.http.Call;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What each operation of the admin plane costs at most. One that is not in this table takes its turn as if it walked the fleet, so
 * a new route that was forgotten here is slow and not a hole.
 */
final class RequestCosts {
    static final int LONG_BODY = 64 * 1024;

    /** What makes a request look at every document, or at the past. */
    private static final Set<String> WALKING = Set.of("as_of", "counts", "facets", "filter", "label_selector");

    private static final String SELECTOR = "\"selector\"";

    /** With an escape a name can be written in many ways; bodies that have one are rare. */
    private static final String ESCAPE = "\\u";

    /** An operation on anything but a cluster; fields of documents that are named like this are rare, and only take a turn. */
    private static final Pattern OTHER_TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(?!cluster\")");

    private static final String OF_ONE_CLUSTER = "clusters";

    /** What an operation reads. */
    sealed interface Cost {
        /** The fleet or the history, with a budget and in turn. */
        record Walks(boolean large) implements Cost {}

        /** The same, for some requests. */
        record Depends(Predicate<Call> walks, String because) implements Cost {}

        /** A few documents at most. */
        record Cheap(String because) implements Cost {}
    }

    private static final Cost WALKS = new Cost.Walks(false);

    /** The answer is about as large as the fleet. */
    private static final Cost LARGE = new Cost.Walks(true);

    private static final Map<String, Cost> BY_OPERATION = new TreeMap<>();

    static {
        for (String operation : Set.of(
                "bootstrapClusters",
                "explainCluster",
                "getChange",
                "listChanges",
                "listFindings",
                "listProbeResults",
                "listRevisions",
                "metrics",
                "repairCluster",
                "revertChange",
                "root_namespaces_list",
                "root_platform_components_list",
                "root_rolebindings_list")) {
            BY_OPERATION.put(operation, WALKS);
        }
        for (String operation : Set.of("exportFleet", "exportGit", "importFleet", "root_clusters_list")) {
            BY_OPERATION.put(operation, LARGE);
        }
        depends("listDocuments", "one page is read, by a caller who sees everything", call -> !mayEverything(call));
        depends("createChange", "documents of a few clusters are changed", RequestCosts::mayChangeMany);
        for (String operation :
                Set.of("createDocument", "deleteDocument", "patchDocument", "replaceDocument", "restoreDocument")) {
            depends(
                    operation,
                    "one cluster is changed",
                    call -> !call.parameter("plural").equals(OF_ONE_CLUSTER));
        }
        for (String collection : Set.of("namespaces", "platform_components", "rolebindings")) {
            for (String verb : Set.of("create", "update", "delete")) {
                BY_OPERATION.put("root_" + collection + "_" + verb, WALKS); // clusters share such documents
            }
            cheap("root_" + collection + "_get", "one document");
        }
        for (String verb : Set.of("get", "create", "update", "delete")) {
            cheap("root_clusters_" + verb, "one cluster");
        }
        for (String verb : Set.of(
                "bootstrap", "clone", "decommission", "detach", "diff", "pause", "purge", "resume", "undelete")) {
            cheap(verb + "Cluster", "one cluster");
        }
        cheap("getDelivery", "one cluster, from memory");
        cheap("getPayload", "one cluster");
        cheap("getDocument", "one document");
        cheap("join", "one cluster and its tokens");
        cheap("createToken", "one token and those of its subject, through an index");
        cheap("rotateToken", "one token");
        cheap("revokeToken", "one token and those made with it, through an index");
        cheap("listTypes", "one entry for each type, from memory");
        cheap("getMe", "the caller's grants, through an index");
        cheap("canI", "one document, sent or stored");
        cheap("signOutEverywhere", "one document");
        cheap("getSignIn", "settings");
        cheap("login", "settings, and the identity provider");
        cheap("loginCallback", "settings, and the identity provider");
        cheap("logout", "one session");
        cheap("openapi_json", "made once for each catalog of types");
        cheap("openapi_yaml", "made once for each catalog of types");
        cheap("explainProblem", "one constant");
        // Not answered but followed: what a stream reads from the log takes a turn for each commit.
        cheap("stream", "commits in memory");
    }

    private RequestCosts() {}

    private static void cheap(String operation, String because) {
        BY_OPERATION.put(operation, new Cost.Cheap(because));
    }

    private static void depends(String operation, String because, Predicate<Call> walks) {
        BY_OPERATION.put(operation, new Cost.Depends(walks, because));
    }

    static Map<String, Cost> all() {
        return Map.copyOf(BY_OPERATION);
    }

    /** Whether a request takes its turn. */
    static boolean walks(String operation, Call call) {
        if (call.query().names().stream().anyMatch(WALKING::contains)) {
            return true;
        }
        return switch (BY_OPERATION.getOrDefault(operation, WALKS)) {
            case Cost.Walks _ -> true;
            case Cost.Depends depends -> depends.walks().test(call);
            case Cost.Cheap _ -> false;
        };
    }

    /** Whether what is made for a request stays in memory while it runs, and is about as large as the fleet. */
    static boolean isLarge(String operation, Call call) {
        boolean lines = operation.equals("listChanges")
                && call.query("format").filter("jsonl"::equals).isPresent();
        return lines
                || call.body().length > LONG_BODY
                || BY_OPERATION.get(operation) instanceof Cost.Walks walks && walks.large();
    }

    /** Of others each document is asked about, so that a page takes a walk. */
    private static boolean mayEverything(Call call) {
        return switch (call.caller().access()) {
            case ADMIN, READER, SYSTEM -> call.caller().limits().isUnlimited();
            default -> false;
        };
    }

    private static boolean mayChangeMany(Call call) {
        if (call.body().length > LONG_BODY) {
            return true;
        }
        String body = new String(call.body(), StandardCharsets.UTF_8);
        return body.contains(SELECTOR)
                || body.contains(ESCAPE)
                || OTHER_TYPE.matcher(body).find();
    }
}
