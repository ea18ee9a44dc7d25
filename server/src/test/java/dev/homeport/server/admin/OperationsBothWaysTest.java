package dev.homeport.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.write.Operation;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Every operation means the same by its own route, in a batch of one and in a batch of two: documents, records in the log, plan
 * and polled answers are compared. An operation that no case covers fails the test.
 */
class OperationsBothWaysTest extends AdminTest {
    private static final String LATER = "2099-01-01T00:00:00Z";
    private static final String REASON = "incident 42, see the runbook";
    private static final String ITEMS =
            "{\"platform_components\":[{\"id\":\"both\"}],\"namespaces\":[{\"id\":\"both\"}]}";

    /** These are no operations of a caller: a revert or restore makes the first, Homeport itself the second. */
    private static final Set<Class<?>> NOT_IN_BATCHES = Set.of(Operation.Undo.class, Operation.Watch.class);

    /** Compared of a cluster's status; the rest changes with the time and with polls. */
    private static final Set<String> STATUS = Set.of(
            "phase",
            "leaves_at",
            "releasing_namespaces",
            "paused",
            "paused_by",
            "paused_reason",
            "paused_until",
            "protected",
            "next_expiry_at");

    /**
     * @param path the query included
     * @param body empty for none
     */
    record Single(String method, String path, String body, Map<String, String> headers) {
        static Single post(String path) {
            return new Single("POST", path, "", Map.of());
        }
    }

    /**
     * @param prepare makes what the operation needs, for all ids
     * @param single the request by the operation's own route, for an id
     * @param fields of the same operation in a batch, beside op, type and id, for an id
     */
    record Case(
            String name,
            String op,
            Class<? extends Operation> operation,
            String type,
            Consumer<List<String>> prepare,
            Function<String, Single> single,
            Function<String, String> fields) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    void catalog() {
        fleet.component("both");
        fleet.create("namespaces", "both", "{}").expect(201);
    }

    private static String cluster(String id) {
        return "/api/v2/clusters/" + id;
    }

    private void clusters(List<String> ids) {
        for (String id : ids) {
            fleet.cluster(id, "dev", ITEMS);
            fleet.polled(id, "namespaces");
        }
    }

    private void clustersAfter(List<String> ids, String verb) {
        clusters(ids);
        ids.forEach(
                id -> fleet.confirmed("POST", cluster(id) + verb, "", Map.of()).expect(200));
    }

    private static String changed(String id) {
        return Fleet.clusterSpec(id, "dev", "{\"labels\":{\"a\":\"1\"},\"platform_components\":[{\"id\":\"both\"}]}");
    }

    private long revision(String path) {
        return fleet.admin.get(path).expect(200).at("/meta/revision").longValue();
    }

    private Case life(String name, String op, Class<? extends Operation> operation, String before, String fields) {
        return new Case(
                name,
                op,
                operation,
                "cluster",
                ids -> {
                    if (before.isEmpty()) {
                        clusters(ids);
                    } else {
                        clustersAfter(ids, before);
                    }
                },
                id -> Single.post(cluster(id) + ":" + op + query(fields)),
                id -> fields);
    }

    /** The fields of an operation are the query of its own route. */
    private static String query(String fields) {
        StringBuilder query = new StringBuilder();
        StrictJson.read(fields)
                .forEachEntry((name, value) -> query.append(query.isEmpty() ? "?" : "&")
                        .append(name)
                        .append('=')
                        .append(value.asString()));
        return query.toString();
    }

    private Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "create",
                        "create",
                        Operation.Create.class,
                        "cluster",
                        ids -> {},
                        id -> new Single(
                                "POST",
                                "/api/v2/clusters",
                                "{\"id\":\"" + id + "\",\"spec\":" + changed(id) + "}",
                                Map.of()),
                        id -> "{\"spec\":" + changed(id) + "}"),
                new Case(
                        "put-new",
                        "put",
                        Operation.Put.class,
                        "cluster",
                        ids -> {},
                        id -> new Single(
                                "PUT", cluster(id), "{\"spec\":" + changed(id) + "}", Map.of("If-None-Match", "*")),
                        id -> "{\"spec\":" + changed(id) + "}"),
                new Case(
                        "put",
                        "put",
                        Operation.Put.class,
                        "cluster",
                        this::clusters,
                        id -> new Single("PUT", cluster(id), "{\"spec\":" + changed(id) + "}", Map.of("If-Match", "*")),
                        id -> "{\"spec\":" + changed(id) + "}"),
                new Case(
                        "replace",
                        "replace",
                        Operation.Replace.class,
                        "cluster",
                        this::clusters,
                        id -> new Single(
                                "PUT",
                                cluster(id),
                                "{\"spec\":" + changed(id) + "}",
                                Map.of("If-Match", fleet.etag(cluster(id)))),
                        id -> "{\"spec\":" + changed(id) + ",\"if_revision\":" + revision(cluster(id)) + "}"),
                new Case(
                        "merge-patch",
                        "patch",
                        Operation.Edit.class,
                        "cluster",
                        this::clusters,
                        id -> new Single(
                                "PATCH",
                                cluster(id),
                                "{\"spec\":{\"owner\":\"team-b\",\"namespaces\":null}}",
                                Map.of(
                                        "Content-Type",
                                        "application/merge-patch+json",
                                        "If-Match",
                                        fleet.etag(cluster(id)))),
                        id -> "{\"patch\":{\"owner\":\"team-b\",\"namespaces\":null},\"if_revision\":"
                                + revision(cluster(id)) + "}"),
                new Case(
                        "json-patch",
                        "patch",
                        Operation.Edit.class,
                        "cluster",
                        this::clusters,
                        id -> new Single(
                                "PATCH",
                                cluster(id),
                                "[{\"op\":\"move\",\"from\":\"/spec/owner\",\"path\":\"/spec/description\"},"
                                        + "{\"op\":\"add\",\"path\":\"/spec/owner\",\"value\":\"team-b\"}]",
                                Map.of("Content-Type", "application/json-patch+json")),
                        id -> "{\"patch\":[{\"op\":\"move\",\"from\":\"/owner\",\"path\":\"/description\"},"
                                + "{\"op\":\"add\",\"path\":\"/owner\",\"value\":\"team-b\"}]}"),
                // There is no route for merge alone: a merge patch of the whole list comes to the same here.
                new Case(
                        "merge",
                        "merge",
                        Operation.Edit.class,
                        "cluster",
                        this::clusters,
                        id -> new Single(
                                "PATCH",
                                cluster(id),
                                "{\"spec\":{\"platform_components\":[{\"id\":\"both\",\"oci_tag\":\"v9\"}]}}",
                                Map.of("Content-Type", "application/merge-patch+json")),
                        id -> "{\"patch\":{\"platform_components\":[{\"id\":\"both\",\"oci_tag\":\"v9\"}]}}"),
                new Case(
                        "delete-cluster",
                        "delete",
                        Operation.Delete.class,
                        "cluster",
                        this::clusters,
                        id -> new Single("DELETE", cluster(id), "", Map.of("If-Match", fleet.etag(cluster(id)))),
                        id -> "{\"if_revision\":" + revision(cluster(id)) + "}"),
                new Case(
                        "delete-namespace",
                        "delete",
                        Operation.Delete.class,
                        "namespace",
                        ids -> ids.forEach(
                                id -> fleet.create("namespaces", id, "{}").expect(201)),
                        id -> new Single("DELETE", "/api/v2/namespaces/" + id, "", Map.of("If-Match", "*")),
                        id -> "{}"),
                life("decommission", "decommission", Operation.Decommission.class, "", "{}"),
                life(
                        "decommission-at",
                        "decommission",
                        Operation.Decommission.class,
                        "",
                        "{\"at\":\"" + LATER + "\",\"delete_namespaces\":true}"),
                life("undelete", "undelete", Operation.Undelete.class, ":decommission", "{}"),
                life("detach", "detach", Operation.Detach.class, "", "{}"),
                life("purge", "purge", Operation.Purge.class, ":decommission", "{\"force\":true}"),
                new Case(
                        "repair",
                        "repair",
                        Operation.Repair.class,
                        "cluster",
                        this::damaged,
                        id -> Single.post(cluster(id) + ":repair"),
                        id -> "{}"),
                life("pause", "pause", Operation.Pause.class, "", "{}"),
                life("pause-until", "pause", Operation.Pause.class, "", "{\"until\":\"" + LATER + "\"}"),
                life("resume", "resume", Operation.Resume.class, ":pause", "{}"));
    }

    private void damaged(List<String> ids) {
        clusters(ids);
        Path data = fleet.server.data();
        fleet.server.stop();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("homeport.db"));
                var statement = connection.createStatement()) {
            for (String id : ids) {
                statement.executeUpdate("UPDATE documents SET body = replace(body, '{', '{ ')"
                        + " WHERE type = 'cluster_life' AND id = '" + id + "'");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        fleet.server.startAgain();
        fleet = new Fleet(fleet.server);
    }

    @Test
    void everyOperationHasACase() {
        Set<String> ops = cases().map(Case::op).collect(Collectors.toCollection(TreeSet::new));
        assertThat(ops).isEqualTo(new TreeSet<>(OperationReader.FIELDS.keySet()));
        JsonNode described =
                fleet.admin.get("/openapi.json").expect(200).at("/components/schemas/operation/properties/op/enum");
        assertThat(described.valueStream().map(JsonNode::asString)).containsExactlyInAnyOrderElementsOf(ops);
        Set<Class<?>> operations = cases().map(Case::operation).collect(Collectors.toSet());
        operations.addAll(NOT_IN_BATCHES);
        assertThat(operations).isEqualTo(kinds(Operation.class).collect(Collectors.toSet()));
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(OperationsBothWaysTest::kinds)
                : Stream.of(type);
    }

    @Test
    void everyFieldOfAnOperationIsTakenByItsOwnRouteAndInABatch() {
        JsonNode described =
                fleet.admin.get("/openapi.json").expect(200).at("/components/schemas/operation/properties");
        Set<String> all = new TreeSet<>(Set.of("op", "type"));
        OperationReader.FIELDS.values().forEach(all::addAll);
        assertThat(described.propertyNames()).containsExactlyInAnyOrderElementsOf(all);
        List<String> ids = List.of("wrong-single", "wrong-batch");
        clusters(ids);
        for (String op : OperationReader.FIELDS.keySet()) {
            for (String field : OperationReader.query(op)) {
                if (Set.of("spec", "patch", "if_revision").contains(field)) {
                    continue; // from the body and the headers of its own route
                }
                var single = fleet.admin
                        .post(cluster("wrong-single") + ":" + op + "?" + field + "=odd", "")
                        .expect(422);
                var batch = fleet.admin
                        .post(
                                "/api/v2/changes",
                                batch(
                                        List.of(operation(op, "cluster", "wrong-batch", "{\"" + field + "\":\"odd\"}")),
                                        ""))
                        .expect(422);
                assertThat(single.at("/errors/0/pointer").asString()).isEqualTo("/" + field);
                assertThat(batch.at("/errors/0/pointer").asString()).isEqualTo("/operations/0/" + field);
                assertThat(batch.at("/errors/0/detail")).isEqualTo(single.at("/errors/0/detail"));
            }
        }
    }

    @Test
    void aPatchThatDoesNotFitSaysInWhichOperation() {
        List<String> ids = List.of("odd-patch-x", "odd-patch-y");
        clusters(ids);
        String step = "{\"patch\":[{\"op\":\"remove\",\"path\":\"/no-such\"}]}";
        var refused = fleet.admin
                .post(
                        "/api/v2/changes",
                        batch(
                                List.of(
                                        operation(
                                                "patch",
                                                "cluster",
                                                "odd-patch-x",
                                                "{\"patch\":{\"owner\":\"team-b\"}}"),
                                        operation("patch", "cluster", "odd-patch-y", step)),
                                ""))
                .expect(422);
        assertThat(refused.at("/errors/0/pointer").asString()).startsWith("/operations/1/");
    }

    @Test
    void aPauseInABatchSaysWhoPausedWhyAndUntilWhen() {
        List<String> ids = List.of("paused-x", "paused-y");
        clusters(ids);
        String until = "{\"until\":\"" + LATER + "\"}";
        List<ObjectNode> operations =
                ids.stream().map(id -> operation("pause", "cluster", id, until)).toList();
        fleet.admin.post("/api/v2/changes", batch(operations, REASON)).expect(201);
        for (String id : ids) {
            JsonNode status = fleet.admin.get(cluster(id)).expect(200).at("/status");
            assertThat(status.path("paused_by").asString()).isEqualTo("person:admin");
            assertThat(status.path("paused_reason").asString()).isEqualTo(REASON);
            assertThat(status.path("paused_until").asString()).isEqualTo(LATER);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anOperationMeansTheSameBothWays(Case one) {
        String single = one.name() + "-single";
        String batch = one.name() + "-batch";
        List<String> two = List.of(one.name() + "-two-a", one.name() + "-two-b");
        List<String> ids = new ArrayList<>(List.of(single, batch));
        ids.addAll(two);
        one.prepare().accept(ids);

        Single request = one.single().apply(single);
        String separator = request.path().contains("?") ? "&" : "?";
        String path = request.path() + separator + "reason=" + REASON.replace(" ", "%20");
        Written alone = written(request.method(), path, request.body(), request.headers());
        Written batched = written(
                "POST",
                "/api/v2/changes",
                batch(
                        List.of(operation(
                                one.op(), one.type(), batch, one.fields().apply(batch))),
                        REASON),
                Map.of());
        Written together = written(
                "POST",
                "/api/v2/changes",
                batch(
                        two.stream()
                                .map(id -> operation(
                                        one.op(), one.type(), id, one.fields().apply(id)))
                                .toList(),
                        ""),
                Map.of("Homeport-Reason", REASON));

        JsonNode expected = result(one, single, alone);
        assertThat(result(one, batch, batched)).isEqualTo(expected);
        for (String id : two) {
            assertThat(result(one, id, together)).isEqualTo(expected);
        }
        assertThat(guards(batched, List.of(batch))).isEqualTo(guards(alone, List.of(single)));
        // What names many clusters is asked about more often, and never less.
        assertThat(guards(together, two)).containsAll(guards(alone, List.of(single)));
    }

    /** What a write was planned to do, and the commit that it made. */
    private record Written(JsonNode plan, JsonNode commit) {}

    private Written written(String method, String path, String body, Map<String, String> headers) {
        String dry = path + (path.contains("?") ? "&" : "?") + "dry_run=true";
        TestClient.Answer planned = fleet.admin.send(method, dry, body, headers).expect(200);
        Map<String, String> confirmed = new TreeMap<>(headers);
        confirmed.put("Homeport-Confirm", planned.at("/confirmation").asString());
        TestClient.Answer done = fleet.admin.send(method, path, body, confirmed);
        assertThat(done.status()).as(done.text()).isIn(200, 201);
        JsonNode commit = fleet.admin
                .get("/api/v2/changes/" + done.header("Homeport-Revision"))
                .expect(200)
                .json();
        return new Written(planned.at("/plan"), commit);
    }

    private static ObjectNode operation(String op, String type, String id, String fields) {
        ObjectNode operation =
                StrictJson.object().put("op", op).put("type", type).put("id", id);
        operation.setAll(StrictJson.read(fields));
        return operation;
    }

    private static String batch(List<ObjectNode> operations, String reason) {
        ObjectNode body = StrictJson.object();
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        operations.forEach(body.putArray("operations")::add);
        return body.toString();
    }

    /** All that is to be equal, with the document's id and numbers of revisions left out. */
    private JsonNode result(Case one, String id, Written written) {
        ObjectNode result = StrictJson.object();
        JsonNode commit = written.commit();
        result.put("actor", commit.path("actor").asString());
        result.put("reason", commit.path("reason").asString());
        // Marks hold digests, which differ with the id; that a plan was confirmed follows from its guards.
        ArrayNode marks = result.putArray("marks");
        commit.path("marks").propertyNames().stream()
                .filter(mark -> mark.contains(id))
                .forEach(marks::add);
        ArrayNode changes = result.putArray("changes");
        commit.path("changes")
                .valueStream()
                .filter(change -> isAbout(change, id))
                .forEach(changes::add);
        assertThat(changes).isNotEmpty();
        plan(written.plan(), id, result.putObject("plan"));
        String plural = one.type() + "s";
        TestClient.Answer shown = fleet.admin.get("/api/v2/" + plural + "/" + id);
        result.put("found", shown.status());
        if (shown.status() == 200) {
            result.set("spec", shown.at("/spec"));
            ObjectNode status = result.putObject("status");
            shown.at("/status").forEachEntry((name, value) -> {
                if (STATUS.contains(name)) {
                    status.set(name, value);
                }
            });
            result.put("updated_by", shown.at("/meta/updated_by").asString(""));
        }
        if (one.type().equals("cluster")) {
            TestClient.Answer polled = fleet.poll(id, "platform-components");
            result.put("polled", polled.status());
            if (polled.status() == 200) {
                result.set("answer", polled.json());
            }
        }
        return neutral(StrictJson.read(result.toString().replace(id, "ID")));
    }

    private static boolean isAbout(JsonNode change, String id) {
        return change.path("id").asString().equals(id) || change.toString().contains(id + ".");
    }

    /** Equal effects on several clusters are one group, so each cluster's part is looked at. */
    private static void plan(JsonNode plan, String id, ObjectNode result) {
        for (String list : List.of("documents", "warnings", "paused")) {
            ArrayNode own = result.putArray(list);
            plan.path(list)
                    .valueStream()
                    .filter(entry -> entry.toString().contains(id))
                    .forEach(own::add);
        }
        groups(plan.path("groups"), id, result.putArray("groups"));
        ArrayNode later = result.putArray("later");
        plan.path("later")
                .valueStream()
                .filter(expiry -> expiry.path("document").asString().endsWith("/" + id))
                .forEach(expiry -> {
                    ObjectNode own =
                            later.addObject().put("from", expiry.path("from").asString(""));
                    groups(expiry.path("groups"), id, own.putArray("groups"));
                });
    }

    private static void groups(JsonNode groups, String id, ArrayNode result) {
        groups.valueStream()
                .filter(group -> group.path("clusters")
                        .valueStream()
                        .anyMatch(cluster -> cluster.asString().equals(id)))
                .forEach(group -> {
                    ObjectNode own = result.addObject()
                            .put("type", group.path("type").asString())
                            .put("empties", group.path("empties").asBoolean());
                    own.set("changes", group.path("changes"));
                });
    }

    private static List<String> guards(Written written, List<String> ids) {
        return written.plan()
                .path("guards")
                .valueStream()
                .map(guard -> {
                    String text = guard.asString();
                    for (String id : ids) {
                        text = text.replace(id, "ID");
                    }
                    return text;
                })
                .distinct()
                .toList();
    }

    /** Without what differs with the revision alone. */
    private static JsonNode neutral(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of("phase_since_revision", "since"));
        }
        node.forEach(OperationsBothWaysTest::neutral);
        return node;
    }
}
