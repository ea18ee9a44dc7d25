package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A workspace's role bindings are made by its own account, so that Kubernetes itself refuses what the account does not hold;
 * and changing over to that, and back, takes no binding away, not even where the account has no rights yet.
 */
@OutsideIn
@Order(3)
@ResourceLock(Stack.POSTGRES)
class TenantBindingsTest {
    private static final String OWNER = "resourceset.fluxcd.controlplane.io/name";
    private static final String OUTER = "homeport-rolebindings";
    private static final String TEAM = "tenant-team";

    private final Managed managed = Managed.onPostgres();
    private final String platform = "first-" + managed.id;

    @Test
    void bindingsChangeHandsWithoutGoingAwayAndTheAccountsRightsAreTheLimit() {
        managed.awaitHealthy(platform);
        // As a fleet of before: a new one begins with the account's sets.
        managed.kube.awaitReady(Kind.RESOURCE_SET, "b-" + platform);
        managed.homeport.patch("settings", "fleet", "{\"answer_format\": 1}");
        awaitGone(Kind.RESOURCE_SET, KubeCluster.NAMESPACE, "b-" + platform);
        managed.homeport.create("namespaces", TEAM, "{}");
        binding("tenant-view", "view");
        managed.homeport.create(
                "workspaces",
                "tenants",
                "{\"service_account\": \"" + TEAM + "\", \"namespaces\": [{\"id\": \"" + TEAM + "\"}]}");
        deliver("{\"id\": \"tenant-view\"}");
        managed.homeport.patch("clusters", managed.id, "{\"workspace\": \"tenants\"}");
        managed.kube.await(Kind.ROLE_BINDING, TEAM, "tenant-view");
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", platform);
        assertThat(owner("tenant-view")).isEqualTo(OUTER);
        Map<String, String> before = bindings();

        managed.homeport.patch("settings", "fleet", "{\"answer_format\": 2}");
        managed.kube.awaitReady(Kind.RESOURCE_SET, "b-" + platform);
        awaitRefused("b-tenant-view", "forbidden");
        managed.kube.reconcileEverything();
        assertThat(bindings())
                .as("an account without rights takes nothing away")
                .isEqualTo(before);

        managed.kube.apply(account());
        managed.kube.reconcile(Kind.RESOURCE_SET, "b-tenant-view");
        managed.kube.awaitReady(Kind.RESOURCE_SET, "b-tenant-view");
        assertThat(owner("tenant-view")).isEqualTo("b-tenant-view");
        managed.kube.reconcile(Kind.RESOURCE_SET, OUTER);
        managed.kube.awaitReady(Kind.RESOURCE_SET, OUTER);
        assertThat(bindings()).isEqualTo(before);

        binding("tenant-root", "cluster-admin");
        deliver("{\"id\": \"tenant-view\"}, {\"id\": \"tenant-root\"}");
        awaitRefused("b-tenant-root", "attempting to grant RBAC permissions not currently held");
        assertThat(bindings())
                .as("rights that the granter does not have are not granted")
                .isEqualTo(before);
        deliver("{\"id\": \"tenant-view\"}");
        awaitGone(Kind.RESOURCE_SET, KubeCluster.NAMESPACE, "b-tenant-root");

        managed.homeport.patch("settings", "fleet", "{\"answer_format\": 1}");
        awaitGone(Kind.RESOURCE_SET, KubeCluster.NAMESPACE, "b-" + platform);
        awaitGone(Kind.RESOURCE_SET, KubeCluster.NAMESPACE, "b-tenant-view");
        managed.kube.awaitReady(Kind.RESOURCE_SET, OUTER);
        assertThat(bindings()).as("the way back takes nothing away either").isEqualTo(before);

        managed.homeport.patch("settings", "fleet", "{\"answer_format\": 2}");
        managed.kube.awaitReady(Kind.RESOURCE_SET, "b-tenant-view");
        managed.kube.reconcile(Kind.RESOURCE_SET, OUTER);
        deliver("");
        awaitGone(Kind.ROLE_BINDING, TEAM, "tenant-view");
        assertThat(managed.kube.find(Kind.CLUSTER_ROLE_BINDING, "", platform)).isPresent();

        managed.homeport.patch("clusters", managed.id, "{\"workspace\": null}");
        managed.kube.awaitReady(Kind.RESOURCE_SET, OUTER);
    }

    private void binding(String id, String role) {
        managed.homeport.create("rolebindings", id, """
                {"role": "%s", "namespace": "%s", "subjects": [{"kind": "Group", "name": "team-t"}]}""".formatted(role, TEAM));
    }

    private void deliver(String refs) {
        managed.homeport.patch("workspaces", "tenants", "{\"rolebindings\": [" + refs + "]}");
    }

    /** What the operators of the cluster create for a workspace. */
    private static String account() {
        return """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: TEAM, namespace: flux-system}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: TEAM-admin, namespace: TEAM}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}
                subjects: [{kind: ServiceAccount, name: TEAM, namespace: flux-system}]
                """.replace("TEAM", TEAM);
    }

    private void awaitRefused(String set, String why) {
        Await.until(
                set + " is refused: " + why,
                () -> managed.kube
                        .find(Kind.RESOURCE_SET, set)
                        .filter(found -> Conditions.ready(found).equals("False")
                                && Conditions.message(found).contains(why))
                        .isPresent(),
                managed.kube::describe);
    }

    private void awaitGone(Kind kind, String namespace, String name) {
        Await.until(
                kind + " " + name + " is gone",
                () -> managed.kube.find(kind, namespace, name).isEmpty(),
                managed.kube::describe);
    }

    private String owner(String binding) {
        return managed.kube
                .find(Kind.ROLE_BINDING, TEAM, binding)
                .orElseThrow()
                .getMetadata()
                .getLabels()
                .get(OWNER);
    }

    /** The bindings that Homeport delivers, with their uids: the same uid, the same object. */
    private Map<String, String> bindings() {
        Map<String, String> found = new TreeMap<>();
        for (Kind kind : new Kind[] {Kind.ROLE_BINDING, Kind.CLUSTER_ROLE_BINDING}) {
            for (GenericKubernetesResource object : managed.kube.list(kind)) {
                Map<String, String> labels = object.getMetadata().getLabels();
                if (labels != null && labels.containsKey(OWNER)) {
                    found.put(
                            kind + " " + object.getMetadata().getName(),
                            object.getMetadata().getUid());
                }
            }
        }
        return found;
    }
}
