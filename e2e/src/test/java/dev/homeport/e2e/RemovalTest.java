package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Figure;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import tools.jackson.databind.JsonNode;

/** What a cluster is no longer given is "removing" until the cluster shows that it is gone. */
@Order(4)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Stack.DEFAULT_LIMIT, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class RemovalTest {
    private static final String HOLD =
            "{\"metadata\":{\"finalizers\":[\"example.com/hold\",\"finalizers.fluxcd.io\"]}}";
    private static final String RELEASE = "{\"metadata\":{\"finalizers\":null}}";

    private final Managed managed = Managed.atDefaultLimit();

    @Test
    void aFinalizerThatHangsIsSeenAndNamed() {
        managed.namespace("hung");
        managed.kustomize("hung", "{}");
        managed.assign("platform_components", "hung");
        managed.awaitHealthy("hung");
        patch("kustomization", "c-hung", HOLD);
        managed.unassign("platform_components", "hung");
        awaitRemoval("platform-components", "hung", "removing", "example.com/hold");
        assertThat(removal("platform-components", "hung").path("source").asString(""))
                .isEqualTo("witness");
        Await.until(
                "the cluster is removing",
                () -> delivery().path("state").asString("").equals("removing"),
                () -> delivery().toString());
        Figure.print(
                "a removal is seen to hang, until the finding",
                () -> Await.until(
                        "a finding says why",
                        () -> managed.homeport
                                .get("/api/v2/findings?kind=removing")
                                .expect(200)
                                .text()
                                .contains("example.com/hold"),
                        () -> delivery().toString()));
        patch("kustomization", "c-hung", RELEASE);
        awaitGone("platform-components", "hung");
    }

    @Test
    void namespacesAndBindingsAreSeenToGo() {
        managed.homeport.create("namespaces", "fleeting", "{\"keep\": false}");
        managed.assign("namespaces", "fleeting");
        managed.namespace("lasting");
        managed.homeport.create(
                "rolebindings",
                "fleeting",
                "{\"role\": \"view\", \"subjects\": [{\"kind\": \"Group\", \"name\": \"a\"}]}");
        managed.assign("rolebindings", "fleeting");
        managed.kube.await(Kind.NAMESPACE, "", "fleeting");
        managed.kube.await(Kind.NAMESPACE, "", "lasting");
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", "fleeting");
        managed.kube.apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: held, namespace: fleeting, finalizers: [example.com/hold]}
                """);
        managed.unassign("namespaces", "fleeting");
        managed.unassign("namespaces", "lasting");
        managed.unassign("rolebindings", "fleeting");
        awaitRemoval("namespaces", "fleeting", "removing", "is being deleted");
        awaitRemoval("namespaces", "lasting", "kept", "stays on the cluster");
        awaitGone("rolebindings", "fleeting");
        managed.kube.kubectl(
                "patch", "configmap", "held", "--namespace", "fleeting", "--type", "merge", "--patch", RELEASE);
        awaitGone("namespaces", "fleeting");
        // A user deletes on the cluster what Homeport left there.
        managed.awaitReleased("homeport-namespaces", "_lasting__Namespace");
        managed.kube.kubectl("delete", "namespace", "lasting");
        awaitGone("namespaces", "lasting");
    }

    @Test
    void aStatefulComponentIsSeenToStay() {
        managed.helm("data", "{\"stateful\": true}");
        managed.assign("platform_components", "data");
        managed.awaitHealthy("data");
        managed.unassign("platform_components", "data");
        awaitRemoval("platform-components", "data", "kept", "stays on the cluster");
        assertThat(managed.kube.find(Kind.RESOURCE_SET, "c-data")).isPresent();
        managed.awaitReleased("homeport-platform-components", "flux-system_c-data_fluxcd.controlplane.io_ResourceSet");
        managed.kube.kubectl("delete", "resourceset", "c-data", "--namespace", "flux-system");
        awaitGone("platform-components", "data");
    }

    private void patch(String kind, String name, String patch) {
        managed.kube.kubectl("patch", kind, name, "--namespace", "flux-system", "--type", "merge", "--patch", patch);
    }

    private JsonNode delivery() {
        return managed.homeport
                .send("GET", "/api/v2/clusters/" + managed.id + "/delivery", "", Map.of())
                .expect(200)
                .json();
    }

    private JsonNode removal(String type, String id) {
        JsonNode delivery = delivery();
        for (JsonNode one : delivery.path("removals")) {
            if (one.path("type").asString("").equals(type)
                    && one.path("id").asString("").equals(id)) {
                return one;
            }
        }
        return delivery.path("nothing");
    }

    private void awaitRemoval(String type, String id, String state, String reason) {
        Await.until(
                type + "/" + id + " is " + state,
                () -> removal(type, id).path("state").asString("").equals(state)
                        && removal(type, id).path("reason").asString("").contains(reason),
                () -> removal(type, id) + "\n" + delivery() + "\n" + managed.kube.describe());
    }

    private void awaitGone(String type, String id) {
        Await.until(
                type + "/" + id + " is seen to be gone",
                () -> removal(type, id).isMissingNode(),
                () -> removal(type, id) + "\n" + delivery() + "\n" + managed.kube.describe());
    }
}
