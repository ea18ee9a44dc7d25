package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.server.TestServer;
import dev.homeport.server.http.Call;
import dev.homeport.server.http.Route;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever walks the fleet or the history takes its turn, and of every other route it is written down why it does not. */
class RequestCostsTest {
    /** Reads and writes of the fleet or the history, whatever is asked for. */
    private static final Set<String> WALKS = Set.of(
            "bootstrapClusters",
            "explainCluster",
            "exportFleet",
            "exportGit",
            "getChange",
            "importFleet",
            "listChanges",
            "listFindings",
            "listProbeResults",
            "listRevisions",
            "metrics",
            "repairCluster",
            "revertChange",
            "root_clusters_list",
            "root_namespaces_create",
            "root_namespaces_delete",
            "root_namespaces_list",
            "root_namespaces_update",
            "root_platform_components_create",
            "root_platform_components_delete",
            "root_platform_components_list",
            "root_platform_components_update",
            "root_rolebindings_create",
            "root_rolebindings_delete",
            "root_rolebindings_list",
            "root_rolebindings_update");

    /** Those of a caller who sees everything, or of one cluster, do not. */
    private static final Set<String> DEPENDS = Set.of(
            "createChange",
            "createDocument",
            "deleteDocument",
            "listDocuments",
            "patchDocument",
            "replaceDocument",
            "restoreDocument");

    @TempDir
    Path folder;

    private static Call call(Caller.Access access, Map<String, String> query, String body) {
        MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
        query.forEach(parameters::add);
        return new Call(
                "GET",
                "/",
                Map.of("plural", "clusters"),
                parameters,
                MultiMap.caseInsensitiveMultiMap(),
                body.getBytes(StandardCharsets.UTF_8),
                new Caller(new Actor(Actor.Kind.PERSON, "alice"), access, Optional.empty(), "t", Set.of()),
                "r1",
                "127.0.0.1");
    }

    private static Call plain() {
        return call(Caller.Access.ADMIN, Map.of(), "");
    }

    @Test
    void everyRouteWalksOrIsCheapForAReason() {
        Set<String> routes = new TreeSet<>();
        try (TestServer server = TestServer.in(folder)) {
            server.running().routes().all().stream().map(Route::id).forEach(routes::add);
        }
        Map<String, RequestCosts.Cost> known = RequestCosts.all();
        assertThat(new TreeSet<>(known.keySet()))
                .as("a new route is added to RequestCosts, and if it walks the fleet or the history, here")
                .isEqualTo(routes);
        Set<String> walking = new TreeSet<>();
        Set<String> depending = new TreeSet<>();
        Map<String, String> reasons = new TreeMap<>();
        known.forEach((operation, cost) -> {
            switch (cost) {
                case RequestCosts.Cost.Walks _ -> walking.add(operation);
                case RequestCosts.Cost.Depends depends -> {
                    depending.add(operation);
                    reasons.put(operation, depends.because());
                }
                case RequestCosts.Cost.Cheap cheap -> reasons.put(operation, cheap.because());
            }
        });
        assertThat(walking).isEqualTo(new TreeSet<>(WALKS));
        assertThat(depending).isEqualTo(new TreeSet<>(DEPENDS));
        assertThat(reasons.values()).allSatisfy(reason -> assertThat(reason).isNotBlank());
    }

    @Test
    void whatWalksTakesATurn() {
        for (String operation : WALKS) {
            assertThat(RequestCosts.walks(operation, plain())).as(operation).isTrue();
        }
        assertThat(RequestCosts.walks("getDocument", plain())).isFalse();
    }

    @Test
    void aRouteThatNobodyThoughtOfTakesATurn() {
        assertThat(RequestCosts.walks("listSomethingNew", plain())).isTrue();
    }

    @Test
    void thePastIsReadInTurn() {
        for (String operation : RequestCosts.all().keySet()) {
            assertThat(RequestCosts.walks(operation, call(Caller.Access.ADMIN, Map.of("as_of", "3"), "")))
                    .as(operation)
                    .isTrue();
        }
    }

    @Test
    void aListOfACallerWhoDoesNotSeeEverythingTakesATurn() {
        assertThat(RequestCosts.walks("listDocuments", plain())).isFalse();
        assertThat(RequestCosts.walks("listDocuments", call(Caller.Access.GRANTED, Map.of(), "")))
                .isTrue();
    }

    @Test
    void aBatchThatChangesWhatClustersShareTakesATurn() {
        String batch = "{\"operations\":[{\"op\":\"patch\", \"type\" : \"%s\", \"id\":\"a\", \"patch\":{}}]}";
        assertThat(RequestCosts.walks("createChange", call(Caller.Access.ADMIN, Map.of(), batch.formatted("cluster"))))
                .isFalse();
        for (String type : Set.of("platform_component", "environment", "cluster_template")) {
            assertThat(RequestCosts.walks("createChange", call(Caller.Access.ADMIN, Map.of(), batch.formatted(type))))
                    .as(type)
                    .isTrue();
        }
    }

    @Test
    void answersAsLargeAsTheFleetAreMadeOneAtATime() {
        for (String operation : Set.of("exportFleet", "exportGit", "importFleet", "root_clusters_list")) {
            assertThat(RequestCosts.isLarge(operation, plain())).as(operation).isTrue();
        }
        assertThat(RequestCosts.isLarge("listChanges", call(Caller.Access.ADMIN, Map.of("format", "jsonl"), "")))
                .isTrue();
        assertThat(RequestCosts.isLarge("listChanges", plain())).isFalse();
    }
}
