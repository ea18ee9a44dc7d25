package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A management cluster deletes clusters by this list: it never becomes shorter without a confirmed record in the log. */
@OutsideIn
class ClusterListTest {
    private static final String LIST = "/api/v2/flux/clusters";

    @TempDir
    Path folder;

    private Fleet fleet;

    @BeforeEach
    void start() {
        fleet = new Fleet(TestServer.in(folder));
        fleet.create("workspaces", "pay", "{}").expect(201);
        fleet.create("workspaces", "shop", "{}").expect(201);
        fleet.create("environments", "void", "{\"order\": 0}").expect(201);
        fleet.cluster("m1", "dev", "{\"workspace\":\"pay\",\"labels\":{\"region\":\"eu\"}}");
        fleet.cluster("z9", "dev", "{\"workspace\":\"shop\",\"labels\":{\"region\":\"us\"}}");
        fleet.cluster("a1", "dev", "{\"workspace\":\"pay\",\"labels\":{\"region\":\"eu\",\"tier\":\"gold\"}}");
        fleet.cluster("p1", "prod", "{\"workspace\":\"pay\",\"labels\":{\"region\":\"eu\"}}");
    }

    @AfterEach
    void stop() {
        fleet.server.close();
    }

    private List<TestClient> planes(String token) {
        return List.of(fleet.server.poll(token), fleet.server.admin(token));
    }

    private TestClient.Answer list(String query) {
        return fleet.server.poll(fleet.server.adminToken()).get(LIST + query);
    }

    private List<String> ids(String query) {
        return list(query)
                .expect(200)
                .at("/inputs")
                .valueStream()
                .map(row -> row.get("id").stringValue())
                .toList();
    }

    private void breakDocument(String type, String id) throws Exception {
        fleet.server.stop();
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:sqlite:" + fleet.server.data().resolve("homeport.db"));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE documents SET body = replace(body, '{', '{ ') WHERE type = '"
                            + type + "' AND id = '" + id + "'"))
                    .isEqualTo(1);
        }
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
    }

    @Test
    @Requirement("C11")
    void rowsAreOrderedByIdWithAndWithoutFilters() {
        assertThat(ids("")).containsExactly("a1", "m1", "p1", "z9");
        assertThat(ids("?environment=dev")).containsExactly("a1", "m1", "z9");
        assertThat(ids("?label_selector=region%3Deu")).containsExactly("a1", "m1", "p1");
        assertThat(ids("?workspace=pay&environment=dev")).containsExactly("a1", "m1");
        assertThat(ids("?label_selector=tier")).containsExactly("a1");
    }

    @ParameterizedTest
    @CsvSource({
        "?environment=dve, 404",
        "?workspace=nobody, 404",
        "?environment=, 400",
        "?environment=dev&environment=prod, 400",
        "?enviroment=dev, 400",
        "?label_selector=, 400",
        "?label_selector=region%3Dasia, 404",
        "'?label_selector=region%20in%20(eu,asia)', 404",
        "'?label_selector=region%3Dus,tier%3Dgold', 404",
        "?label_selector=nosuchlabel, 404",
        "?environment=prod&label_selector=tier%3Dgold, 404",
        "?label_selector=%21tier, 422",
        "?label_selector=region%21%3Dus, 422",
        "?label_selector=region%20notin%20(us), 422",
        "?limit=0, 422",
        "?limit=x, 422",
    })
    void whatIsUnknownOrUnclearIsAnErrorAndNeverAShorterList(String query, int status) {
        planes(fleet.server.adminToken())
                .forEach(plane -> plane.get(LIST + query).expect(status));
    }

    @Test
    void aListLongerThanTheProvidersLimitIsNotServed() {
        assertThat(ids("?limit=4")).hasSize(4);
        assertThat(list("?limit=3").expect(422).text()).contains("4 rows").contains("filter.limit");
    }

    @Test
    void aRowStaysUntilTheClusterIsPurged() {
        fleet.polled("m1", "namespaces"); // a cluster that never polled would be purged at once
        fleet.confirmed("POST", "/api/v2/clusters/z9:detach", "{}", Map.of()).expect(200);
        fleet.confirmed("POST", "/api/v2/clusters/m1:decommission", "{}", Map.of())
                .expect(200);
        assertThat(ids("")).containsExactly("a1", "m1", "p1", "z9");
        fleet.confirmed("POST", "/api/v2/clusters/m1:purge?force=true", "{}", Map.of())
                .expect(200);
        assertThat(ids("")).containsExactly("a1", "p1", "z9");
    }

    @Test
    void anEmptyListIsServedOnlyWhereTheLogProvesIt() {
        assertThat(ids("?environment=void")).isEmpty();
        for (String id : List.of("a1", "m1", "p1", "z9")) {
            fleet.confirmed("POST", "/api/v2/clusters/" + id + ":decommission", "{}", Map.of())
                    .expect(200);
            assertThat(ids("")).contains(id);
            fleet.confirmed("POST", "/api/v2/clusters/" + id + ":purge", "{}", Map.of())
                    .expect(200);
        }
        assertThat(ids("")).isEmpty();
        assertThat(ids("?environment=prod")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster", "cluster_life"})
    void aBrokenDocumentHoldsEveryListThatItMayBelongTo(String type) throws Exception {
        fleet.create("namespaces", "ns", "{}").expect(201);
        fleet.patch("/api/v2/clusters/m1", "{\"namespaces\":[{\"id\":\"ns\"}]}").expect(200);
        breakDocument(type, "m1");
        for (String query : List.of("", "?environment=dev", "?workspace=pay", "?label_selector=region%3Deu")) {
            assertThat(list(query).expect(503).text()).contains(type + "/m1");
        }
        list("?environment=prod").expect(type.equals("cluster") ? 503 : 200);
    }

    @Test
    void aBrokenEnvironmentHoldsItsList() throws Exception {
        breakDocument("environment", "prod");
        assertThat(list("?environment=prod").expect(503).text()).contains("environment/prod");
    }

    @Test
    void aRightThatEndsIsARefusalAndNotAShorterList() {
        String token = fleet.token("{\"kind\":\"service\",\"subject\":\"capi\"}");
        fleet.create(
                        "access-grants",
                        "g1",
                        "{\"subject\":\"service:capi\",\"role\":\"viewer\",\"scope\":{\"workspace\":\"pay\"}}")
                .expect(201);
        fleet.create(
                        "access-grants",
                        "g2",
                        "{\"subject\":\"service:capi\",\"role\":\"viewer\",\"scope\":{\"cluster\":\"z9\"}}")
                .expect(201);
        for (TestClient plane : planes(token)) {
            plane.get(LIST).expect(403);
            plane.get(LIST + "?environment=dev").expect(403);
            TestClient.Answer foreign = plane.get(LIST + "?workspace=shop").expect(404);
            assertThat(plane.get(LIST + "?workspace=nope").expect(404).text())
                    .isEqualTo(foreign.text().replace("workspace/shop", "workspace/nope"));
            assertThat(plane.get(LIST + "?workspace=pay").expect(200).text())
                    .contains("a1")
                    .contains("p1")
                    .doesNotContain("z9");
        }
        fleet.confirmed(
                        "DELETE",
                        "/api/v2/access-grants/g1",
                        "",
                        Map.of("If-Match", fleet.etag("/api/v2/access-grants/g1")))
                .expect(200);
        planes(token).forEach(plane -> plane.get(LIST + "?workspace=pay").expect(404));
    }

    @Test
    void protectedClustersLeaveTheListOfALabelOrAWorkspaceByAConfirmedChangeAlone() {
        Map<String, String> merge = Map.of("Content-Type", "application/merge-patch+json");
        for (String edit : List.of(
                "{\"labels\":{\"region\":\"us\"}}", "{\"labels\":{\"region\":null}}", "{\"workspace\":\"shop\"}")) {
            fleet.admin
                    .send("PATCH", "/api/v2/clusters/p1", "{\"spec\":" + edit + "}", merge)
                    .expect(409);
        }
        fleet.admin
                .send("PATCH", "/api/v2/clusters/p1", "{\"spec\":{\"labels\":{\"more\":\"x\"}}}", merge)
                .expect(200);
        assertThat(ids("?label_selector=region%3Deu")).contains("p1");
        fleet.patch("/api/v2/clusters/p1", "{\"workspace\":\"shop\"}").expect(200);
        assertThat(ids("?workspace=shop")).containsExactly("p1", "z9");
    }

    @Test
    void listsAreMadeOnAThreadOfTheirOwn() {
        assertThat(isRunning("cluster-lists")).isFalse();
        ids("");
        assertThat(isRunning("cluster-lists"))
                .as("otherwise an event loop made it, and polls waited")
                .isTrue();
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(one -> one.getName().equals(thread));
    }

    @Test
    void aFloodOfOneCallerIsLimitedAndOthersAreServed() {
        String token = fleet.token("{\"kind\":\"service\",\"subject\":\"noisy\"}");
        fleet.create(
                        "access-grants",
                        "g3",
                        "{\"subject\":\"service:noisy\",\"role\":\"viewer\",\"scope\":{\"fleet\":true}}")
                .expect(201);
        TestClient noisy = fleet.server.poll(token);
        List<Integer> statuses = new java.util.ArrayList<>();
        for (int i = 0; i < 500 && !statuses.contains(429); i++) {
            statuses.add(noisy.get(LIST).status());
        }
        assertThat(statuses).startsWith(200).contains(429);
        list("").expect(200);
    }
}
