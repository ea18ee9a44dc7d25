package dev.homeport.write;

import static dev.homeport.support.TestFleet.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.homeport.document.Types;
import dev.homeport.support.FleetTest;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** What Flux removes and makes again is a removal in the plan, with the guards of one. */
class IdentityTest extends FleetTest {
    @BeforeEach
    void oneOfEach() {
        fleet.component("vault", "{\"stateful\": true, \"target_namespace\": \"vault\"}");
        fleet.component(
                "redis",
                "{\"stateful\": true, \"oci_url\": \"https://charts.example.com\", \"component_path\": \"redis\"}");
        fleet.component("queue", "{\"stateful\": true, \"kind\": \"kustomize\"}");
        fleet.create(Types.NAMESPACE, "apps", "{}");
        fleet.create(
                Types.ROLEBINDING,
                "admins",
                "{\"role\": \"admin\", \"namespace\": \"apps\", \"subjects\": [{\"kind\": \"Group\", \"name\": \"g\"}]}");
        fleet.create(Types.TYPE, "bucket", """
                {"plural": "buckets", "schema": {"type": "object", "properties": {
                   "bucket_name": {"type": "string"}, "size": {"type": "integer"}, "stateful": {"type": "boolean"}}},
                 "template": "<<- range $i := inputs.items >>\\n---\\napiVersion: \\"v1\\"\\nkind: \\"ConfigMap\\"\\nmetadata:\\n  name: << $i.bucket_name | toJson >>\\ndata:\\n  size: << $i.size | toJson >>\\n<<- end >>"}""");
        fleet.create("bucket", "logs", "{\"bucket_name\": \"logs\", \"size\": 1, \"stateful\": true}");
        fleet.create(Types.WORKSPACE, "retail", """
                {"platform_components": [{"id": "vault"}, {"id": "redis"}, {"id": "queue"}],
                 "namespaces": [{"id": "apps"}], "rolebindings": [{"id": "admins"}], "refs": {"buckets": [{"id": "logs"}]}}""");
        fleet.cluster("c1", "dev", "{\"workspace\": \"retail\"}");
    }

    record Step(String type, String id, String what, UnaryOperator<ObjectNode> change) {
        @Override
        public String toString() {
            return what + " of " + type + "/" + id;
        }
    }

    static Stream<Step> removals() {
        String component = Types.PLATFORM_COMPONENT;
        return Stream.of(
                new Step(component, "vault", "namespace", body -> body.put("target_namespace", "secrets")),
                new Step(component, "vault", "namespace by default", body -> {
                    body.remove("target_namespace");
                    return body;
                }),
                new Step(component, "vault", "kind", body -> body.put("kind", "kustomize")),
                new Step(
                        component,
                        "vault",
                        "chart",
                        body -> body.put("oci_url", "oci://registry.example.com/platform/openbao")),
                new Step(component, "redis", "chart", body -> body.put("component_path", "valkey")),
                new Step(component, "queue", "namespace", body -> body.put("target_namespace", "queues")),
                new Step("bucket", "logs", "name", body -> body.put("bucket_name", "logs-2")));
    }

    @ParameterizedTest
    @MethodSource("removals")
    void anotherIdentityIsARemoval(Step step) {
        ConfirmationRequired asked = catchThrowableOfType(
                ConfirmationRequired.class, () -> fleet.write(edit(step.type(), step.id(), step.change())));
        assertThat(asked).isNotNull();
        assertThat(asked.plan().guards()).anyMatch(guard -> guard.endsWith(", which is stateful"));
        assertThat(kinds(asked.plan())).containsExactly(ItemChange.Kind.REMOVED, ItemChange.Kind.ADDED);
    }

    @Test
    void anotherChartOnOneClusterIsARemovalToo() {
        Operation override = edit(Types.CLUSTER, "c1", body -> {
            body.putArray("platform_components")
                    .addObject()
                    .put("id", "redis")
                    .put("assign", false)
                    .put("component_path", "valkey");
            return body;
        });
        ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(override));
        assertThat(asked).hasMessageContaining("cluster/c1 loses platform_component/redis, which is stateful");
        assertThat(kinds(asked.plan())).containsExactly(ItemChange.Kind.REMOVED, ItemChange.Kind.ADDED);
    }

    static Stream<Step> changes() {
        String component = Types.PLATFORM_COMPONENT;
        return Stream.of(
                new Step(component, "vault", "version", body -> body.put("oci_tag", "v2")),
                new Step(
                        component,
                        "vault",
                        "registry",
                        body -> body.put("oci_url", "oci://mirror.example.com/other/vault")),
                new Step(component, "vault", "path", body -> body.put("component_path", "apps/vault/2.0.0")),
                new Step(component, "redis", "repository", body -> body.put("oci_url", "https://mirror.example.com")),
                new Step(component, "queue", "path", body -> body.put("component_path", "apps/queue/2.0.0")),
                new Step(Types.NAMESPACE, "apps", "labels", body -> {
                    body.putObject("labels").put("team", "a");
                    return body;
                }),
                new Step("bucket", "logs", "size", body -> body.put("size", 2)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void anotherVersionIsNone(Step step) {
        Plan plan = committed(edit(step.type(), step.id(), step.change())).plan();
        assertThat(kinds(plan)).containsExactly(ItemChange.Kind.CHANGED);
        assertThat(plan.guards()).isEmpty();
    }

    @Test
    void aBindingOfAnotherRoleOrNamespaceIsMadeAgain() {
        for (UnaryOperator<ObjectNode> change : List.<UnaryOperator<ObjectNode>>of(
                body -> body.put("role", "edit"),
                body -> body.put("namespace", "logs"),
                body -> body.put("role_kind", "Role"),
                body -> {
                    body.remove("namespace");
                    return body.put("role_kind", "ClusterRole");
                })) {
            assertThat(kinds(
                            committed(edit(Types.ROLEBINDING, "admins", change)).plan()))
                    .containsExactly(ItemChange.Kind.REMOVED, ItemChange.Kind.ADDED);
        }
    }

    @Test
    void takingTheGuardOffIsAskedForToo() {
        for (Operation operation : List.of(
                edit(Types.PLATFORM_COMPONENT, "vault", body -> body.put("stateful", false)),
                edit(Types.NAMESPACE, "apps", body -> body.put("keep", false)),
                edit("bucket", "logs", body -> body.put("stateful", false)))) {
            ConfirmationRequired asked = catchThrowableOfType(ConfirmationRequired.class, () -> fleet.write(operation));
            assertThat(asked).as(operation.toString()).isNotNull();
        }
    }

    private static List<ItemChange.Kind> kinds(Plan plan) {
        return plan.groups().stream()
                .flatMap(group -> group.changes().stream())
                .map(ItemChange::kind)
                .toList();
    }
}
