package dev.homeport.write;

import static dev.homeport.support.TestFleet.creation;
import static dev.homeport.support.TestFleet.delete;
import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Powers;
import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.problem.ProblemException;
import dev.homeport.support.AccessModel;
import dev.homeport.support.AccessModel.Grant;
import dev.homeport.support.AccessModel.Right;
import dev.homeport.support.Cases;
import dev.homeport.support.TestFleet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Random grants, callers and documents: the product decides as a small model does, and names nothing that is foreign. */
@Tag("properties")
class AccessProperties {
    private static final int CASES_PER_WORLD = 50;
    private static final List<String> ENVIRONMENTS = List.of("dev", "qa", "prod");
    private static final List<String> WORKSPACES = List.of("wzpay", "wzsearch", "wzmail");
    private static final List<String> PEOPLE = List.of("person:ann", "person:ben", "service:ci");
    private static final List<String> GROUPS = List.of("blue", "red");
    private static final int CLUSTERS = 9;

    @TempDir
    Path directory;

    private TestFleet fleet;
    private AccessModel model = new AccessModel();

    @Test
    void decisionsAreTheModels() {
        try (TestFleet made = TestFleet.sqlite(directory)) {
            fleet = made;
            fleet.component("shop");
            WORKSPACES.forEach(id -> fleet.create(Types.WORKSPACE, id, "{\"service_account\": \"sa\"}"));
            for (int i = 0; i < CLUSTERS; i++) {
                fleet.cluster("cz" + i + "q", "dev", "{\"platform_components\": [{\"id\": \"shop\"}]}");
            }
            Cases.forAll(Cases.count() / CASES_PER_WORLD, random -> {
                world(random);
                for (int i = 0; i < CASES_PER_WORLD; i++) {
                    one(random);
                }
            });
        }
    }

    private static <T> T any(List<T> list, SplittableRandom random) {
        return list.get(random.nextInt(list.size()));
    }

    /** Other grants, and clusters in other places, in one commit. */
    private void world(SplittableRandom random) {
        model = new AccessModel();
        List<Operation> operations = new ArrayList<>();
        fleet.snapshot()
                .all(Types.ACCESS_GRANT)
                .values()
                .forEach(old -> operations.add(delete(Types.ACCESS_GRANT, old.id())));
        for (int i = 0; i < CLUSTERS; i++) {
            String id = "cz" + i + "q";
            String environment = any(ENVIRONMENTS, random);
            String workspace = random.nextInt(5) == 0 ? null : any(WORKSPACES, random);
            model.clusters.put(id, new AccessModel.Target(id, workspace, Set.of(environment)));
            operations.add(edit(Types.CLUSTER, id, body -> {
                body.put("environment", environment);
                body.remove("workspace");
                return workspace == null ? body : body.put("workspace", workspace);
            }));
        }
        int prefix = random.nextInt(1_000_000);
        for (int i = random.nextInt(6); i >= 0; i--) {
            Grant grant = grant("gz" + prefix + "x" + i, random);
            model.grants.add(grant);
            operations.add(creation(Types.ACCESS_GRANT, grant.id(), grant.json()));
        }
        fleet.confirm(operations.toArray(Operation[]::new));
    }

    private Grant grant(String id, SplittableRandom random) {
        String subject = random.nextInt(3) == 0 ? "group:" + any(GROUPS, random) : any(PEOPLE, random);
        String scope = any(List.of("fleet", "environment", "workspace", "cluster", "workspace", "cluster"), random);
        String scopeId = switch (scope) {
            case "environment" -> any(ENVIRONMENTS, random);
            case "workspace" -> any(WORKSPACES, random);
            case "cluster" -> "cz" + random.nextInt(CLUSTERS) + "q";
            default -> "";
        };
        Set<String> environments = new HashSet<>();
        if (random.nextInt(3) == 0) {
            environments.add(any(ENVIRONMENTS, random));
            environments.add(any(ENVIRONMENTS, random));
        }
        Set<String> verbs =
                random.nextInt(4) == 0 ? Set.of("read", any(List.of("update", "create"), random)) : Set.of();
        return new Grant(id, subject, any(AccessModel.ROLES, random), scope, scopeId, environments, verbs);
    }

    private void one(SplittableRandom random) {
        String subject = any(PEOPLE, random);
        Set<String> groups = new HashSet<>(GROUPS);
        groups.removeIf(group -> random.nextBoolean());
        Caller caller = new Caller(Actor.parse(subject), Caller.Access.GRANTED, Optional.empty(), "", groups);
        Set<String> subjects = new HashSet<>(Set.of(subject));
        groups.forEach(group -> subjects.add("group:" + group));
        AccessModel.View view = model.of(subjects);
        Powers powers = Powers.of(fleet.snapshot(), caller, fleet.now);
        Set<String> hidden = sight(powers, view);
        write(caller, view, hidden, random);
    }

    /** Compares what is seen, and gives the ids of all that is not. */
    private Set<String> sight(Powers powers, AccessModel.View view) {
        Set<String> hidden = new HashSet<>();
        for (String type : List.of(
                Types.CLUSTER, Types.WORKSPACE, Types.ACCESS_GRANT, Types.PLATFORM_COMPONENT, Types.ENVIRONMENT)) {
            for (Document document : fleet.snapshot().all(type).values()) {
                boolean seen = view.sees(type, document.id());
                assertThat(powers.sees(document))
                        .as("%s sees %s", view, document.key())
                        .isEqualTo(seen);
                if (!seen && !document.id().equals("shop") && !ENVIRONMENTS.contains(document.id())) {
                    hidden.add(document.id());
                }
            }
        }
        var slots = new java.util.BitSet();
        powers.places(dev.homeport.access.Verb.READ, Types.CLUSTER)
                .forEach(place -> slots.or(fleet.snapshot().clustersIn(place)));
        Set<String> listed = new HashSet<>();
        slots.stream()
                .forEach(slot -> listed.add(fleet.snapshot().clusterInSlot(slot).id()));
        Set<String> expected = new HashSet<>(model.clusters.keySet());
        expected.removeAll(hidden);
        assertThat(listed).as("%s", view).isEqualTo(expected);
        return hidden;
    }

    /** A change with what the model says about it. */
    private record Wanted(Operation operation, AccessModel.Decision decision) {}

    private void write(Caller caller, AccessModel.View view, Set<String> hidden, SplittableRandom random) {
        Wanted wanted = wanted(view, random);
        String said;
        AccessModel.Decision decision;
        String asked = wanted.operation().key().id();
        try {
            Outcome outcome = fleet.writer.write(
                    WriteRequest.of(caller, "", List.of(wanted.operation())).with(WriteRequest.Flag.DRY_RUN));
            decision = AccessModel.Decision.ALLOWED;
            said = outcome.toString();
        } catch (ProblemException e) {
            ErrorCode code = e.problem().code();
            decision = code == ErrorCode.FORBIDDEN
                    ? AccessModel.Decision.FORBIDDEN
                    : code == ErrorCode.NOT_FOUND ? AccessModel.Decision.ABSENT : AccessModel.Decision.ALLOWED;
            said = e.problem().toString();
        }
        assertThat(decision).as("%s: %s: %s", view, wanted.operation(), said).isEqualTo(wanted.decision());
        for (String id : hidden) {
            if (!id.equals(asked) && !mentions(wanted.operation(), id)) {
                assertThat(said).as("%s: %s", view, wanted.operation()).doesNotContain(id);
            }
        }
    }

    /** What the caller has named is not a secret from the caller. */
    private static boolean mentions(Operation operation, String id) {
        return switch (operation) {
            case Operation.Create create -> create.body().toString().contains(id);
            case Operation.Edit edit ->
                edit.change()
                        .apply(dev.homeport.json.StrictJson.object())
                        .toString()
                        .contains(id);
            default -> false;
        };
    }

    private Wanted wanted(AccessModel.View view, SplittableRandom random) {
        String cluster = "cz" + random.nextInt(CLUSTERS + 1) + "q";
        String environment = any(ENVIRONMENTS, random);
        String workspace = any(WORKSPACES, random);
        String text = "text " + random.nextInt();
        AccessModel.Target before = model.clusters.get(cluster);
        return switch (random.nextInt(13)) {
            case 0 ->
                new Wanted(
                        edit(Types.CLUSTER, cluster, body -> body.put("description", text)),
                        view.change("update", Types.CLUSTER, cluster, before, before));
            case 1 -> {
                AccessModel.Target after = before == null
                        ? null
                        : new AccessModel.Target(cluster, before.workspace(), Set.of(environment));
                yield new Wanted(
                        edit(
                                Types.CLUSTER,
                                cluster,
                                body -> body.put("environment", environment).put("description", text)),
                        view.change(
                                losesProtection(before, environment)
                                        ? List.of(Right.UPDATE, Right.DECOMMISSION)
                                        : List.of(Right.UPDATE),
                                cluster,
                                before,
                                after));
            }
            case 2 -> {
                AccessModel.Target after =
                        before == null ? null : new AccessModel.Target(cluster, workspace, before.environments());
                yield new Wanted(
                        edit(
                                Types.CLUSTER,
                                cluster,
                                body -> body.put("workspace", workspace).put("description", text)),
                        view.change("update", Types.CLUSTER, cluster, before, after));
            }
            case 3 ->
                new Wanted(delete(Types.CLUSTER, cluster), view.change("delete", Types.CLUSTER, cluster, before, null));
            case 4 ->
                new Wanted(
                        creation(
                                Types.CLUSTER,
                                cluster,
                                "{\"cluster_name\": \"x1\", \"cluster_dns\": \"cz" + random.nextInt(CLUSTERS)
                                        + "q.k8s.example.com\", \"environment\": \"" + environment
                                        + "\", \"owner\": \"x1\", \"workspace\": \"" + workspace + "\"}"),
                        view.creation(cluster, new AccessModel.Target(cluster, workspace, Set.of(environment))));
            case 5 ->
                new Wanted(
                        edit(Types.WORKSPACE, workspace, body -> body.put("description", text)),
                        view.layered(Types.WORKSPACE, workspace, new AccessModel.Target(null, workspace, null)));
            case 6 ->
                new Wanted(
                        edit(Types.WORKSPACE, workspace, body -> withLayer(body, environment)),
                        view.layered(
                                Types.WORKSPACE,
                                workspace,
                                new AccessModel.Target(null, workspace, Set.of(environment))));
            case 7 ->
                new Wanted(
                        edit(Types.ENVIRONMENT, environment, body -> body.put("description", text)),
                        view.layered(
                                Types.ENVIRONMENT,
                                environment,
                                new AccessModel.Target(null, null, Set.of(environment))));
            case 8 ->
                new Wanted(
                        edit(Types.CLUSTER, cluster, body -> body.put("expires_at", "2027-01-01T00:00:00Z")),
                        view.change(List.of(Right.UPDATE, Right.DECOMMISSION), cluster, before, before));
            case 9 ->
                new Wanted(
                        edit(Types.CLUSTER, cluster, body -> body.put("protected", false)),
                        view.change(
                                losesProtection(before, "")
                                        ? List.of(Right.UPDATE, Right.DECOMMISSION)
                                        : List.of(Right.UPDATE),
                                cluster,
                                before,
                                before));
            case 10 ->
                new Wanted(
                        edit(Types.CLUSTER, cluster, body -> body.put("cluster_dns", "moved.example.com")),
                        view.change(List.of(Right.UPDATE, Right.DELETE), cluster, before, before));
            case 11 ->
                new Wanted(
                        edit(Types.CLUSTER, cluster, body -> body.put("event_key", 7)),
                        view.change(List.of(Right.UPDATE, Right.CREDENTIALS), cluster, before, before));
            default ->
                new Wanted(
                        edit(
                                Types.PLATFORM_COMPONENT,
                                "shop",
                                body -> body.put("oci_tag", "v" + Math.abs(random.nextInt()))),
                        view.layered(Types.PLATFORM_COMPONENT, "shop", new AccessModel.Target(null, null, null)));
        };
    }

    /** Clusters of the last environment are protected. */
    private static boolean losesProtection(AccessModel.Target before, String environment) {
        return before != null && Set.of("prod").equals(before.environments()) && !environment.equals("prod");
    }

    private static ObjectNode withLayer(ObjectNode body, String environment) {
        body.putObject("by_environment").putObject(environment);
        return body;
    }
}
