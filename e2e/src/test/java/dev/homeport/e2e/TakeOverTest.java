package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Folders;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A cluster that phones home with manifests of its own, with flat inputs, gets ours; first for one type, then for all. */
@OutsideIn
@Order(3)
@ResourceLock(Stack.POSTGRES)
class TakeOverTest {
    private static final String ID = "legacy-1";
    private static final Kind CLUSTER_RESOURCE_SET = new Kind("addons.cluster.x-k8s.io/v1beta2", "ClusterResourceSet");
    private static final String OWNER = "resourceset.fluxcd.controlplane.io/name";

    private final Homeport homeport = Stack.onPostgres();

    @Test
    @Requirement("C9")
    void nothingIsDeletedAndNoReleaseIsInstalledAgain() throws IOException {
        homeport.create("namespaces", "legacy", "{\"labels\":{\"team\":\"b\"}}");
        homeport.create("rolebindings", "legacy", """
                {"role": "view", "subjects": [{"kind": "Group", "name": "team-b"}]}""");
        homeport.create("platform-components", "legacy", """
                {"kind": "helm", "component_path": "web", "component_version": "%1$s", "oci_url": "%2$s",
                 "oci_tag": "%1$s", "target_namespace": "legacy", "interval": "10s", "timeout": "20s",
                 "values": {"greeting": "hello"}}""".formatted(Catalog.OLD, Catalog.chart()));
        homeport.create("clusters", ID, """
                {"cluster_name": "%1$s", "cluster_dns": "%1$s.k8s.example.com", "environment": "dev", "owner": "team-b",
                 "poll_interval": "2s", "namespaces": [{"id": "legacy"}], "rolebindings": [{"id": "legacy"}],
                 "platform_components": [{"id": "legacy"}]}""".formatted(ID));
        try (KubeCluster kube = Stack.another("d")) {
            kube.apply(flatManifests());
            kube.awaitReady(Kind.HELM_RELEASE, "platform-legacy");
            kube.await(Kind.NAMESPACE, "", "legacy");
            kube.await(Kind.CLUSTER_ROLE_BINDING, "", "legacy");
            Map<String, String> before = kube.belongings();

            kube.apply(bootstrap("--types", "namespaces"));
            awaitOwner(kube, Kind.NAMESPACE, "", "legacy", "homeport-namespaces");
            kube.reconcileEverything();
            assertThat(owner(kube, Kind.HELM_RELEASE, KubeCluster.NAMESPACE, "platform-legacy"))
                    .as("other types are left alone")
                    .isEqualTo("platform-components");
            assertThat(owner(kube, Kind.CLUSTER_ROLE_BINDING, "", "legacy")).isEqualTo("rolebindings");
            assertThat(kube.belongings()).containsAllEntriesOf(before);

            applyByClusterApi(kube, bootstrap("--replace", "--format", "clusterapi"));
            awaitOwner(kube, Kind.HELM_RELEASE, KubeCluster.NAMESPACE, "platform-legacy", "c-legacy");
            awaitOwner(kube, Kind.CLUSTER_ROLE_BINDING, "", "legacy", "b-legacy");
            // One that works on is deleted when nothing is its own any more; one that is disabled at any time.
            disable(kube, "platform-components");
            for (String old : new String[] {"namespaces", "rolebindings", "platform-components"}) {
                remove(kube, Kind.RESOURCE_SET, old);
                remove(kube, Kind.PROVIDER, old);
            }
            kube.awaitReady(Kind.RESOURCE_SET, "c-legacy");
            kube.awaitReady(Kind.HELM_RELEASE, "platform-legacy");
            Map<String, String> kept = new java.util.TreeMap<>(before);
            kept.keySet()
                    .removeIf(object -> object.startsWith(Kind.RESOURCE_SET + " ")
                            || object.startsWith(Kind.PROVIDER + " ")
                            || object.contains("old-"));
            assertThat(kept.keySet())
                    .as("Helm's first record of the release is among them")
                    .anyMatch(object -> object.contains("sh.helm.release.v1.legacy.v1"));
            assertThat(kube.belongings()).containsAllEntriesOf(kept);
        }
    }

    /** As a management cluster does: what a ClusterResourceSet names is read there, and all that is in it is applied. */
    private static void applyByClusterApi(KubeCluster kube, String manifests) {
        kube.knowClusterApi();
        kube.apply(manifests);
        GenericKubernetesResource set =
                kube.find(CLUSTER_RESOURCE_SET, "default", "homeport-" + ID).orElseThrow();
        List<Map<String, String>> resources = set.get("spec", "resources");
        assertThat(resources).extracting(one -> one.get("kind")).containsExactly("ConfigMap", "Secret");
        Map<String, String> selected = set.get("spec", "clusterSelector", "matchLabels");
        assertThat(selected).isEqualTo(Map.of("homeport.dev/cluster", ID));
        ConfigMap map = kube.client()
                .configMaps()
                .inNamespace("default")
                .withName(resources.get(0).get("name"))
                .get();
        map.getData().values().forEach(kube::apply);
        Secret secret = kube.client()
                .secrets()
                .inNamespace("default")
                .withName(resources.get(1).get("name"))
                .get();
        assertThat(secret.getType())
                .as("Cluster API refuses other Secrets")
                .isEqualTo("addons.cluster.x-k8s.io/resource-set");
        secret.getData()
                .values()
                .forEach(one -> kube.apply(new String(Base64.getDecoder().decode(one), StandardCharsets.UTF_8)));
    }

    private static void disable(KubeCluster kube, String set) {
        kube.kubectl(
                "-n",
                KubeCluster.NAMESPACE,
                "annotate",
                "resourceset",
                set,
                "fluxcd.controlplane.io/reconcile=disabled");
    }

    private static void remove(KubeCluster kube, Kind kind, String name) {
        GenericKubernetesResource object = kube.find(kind, name).orElseThrow();
        kube.client().resource(object).delete();
        Await.until(kind + " " + name + " is gone", () -> kube.find(kind, name).isEmpty());
    }

    private static void awaitOwner(KubeCluster kube, Kind kind, String namespace, String name, String owner) {
        Await.until(
                kind + " " + name + " belongs to " + owner,
                () -> owner(kube, kind, namespace, name).equals(owner),
                kube::describe);
    }

    private static String owner(KubeCluster kube, Kind kind, String namespace, String name) {
        return kube.find(kind, namespace, name)
                .orElseThrow()
                .getMetadata()
                .getLabels()
                .get(OWNER);
    }

    private String bootstrap(String... more) {
        String[] all = new String[more.length + 14];
        String[] first = {
            "bootstrap",
            ID,
            "--url",
            homeport.pollUrl(),
            "--ca",
            Stack.pki().certificate().toString(),
            "--interval",
            "2s",
            "--name",
            "objects=platform-{id}",
            "--name",
            "sources=platform-{id}",
            "--name",
            "release_storage=release"
        };
        System.arraycopy(first, 0, all, 0, 14);
        System.arraycopy(more, 0, all, 14, more.length);
        return homeport.cli(all);
    }

    private String flatManifests() throws IOException {
        String token = homeport.send(
                        "POST",
                        "/api/v2/tokens",
                        "{\"spec\":{\"kind\":\"cluster\",\"subject\":\"" + ID + "\"}}",
                        Map.of())
                .expect(201)
                .at("/token")
                .stringValue();
        return Files.readString(Folders.ROOT.resolve("e2e/src/test/resources/flat.yaml"))
                .replace("@token@", token)
                .replace("@ca@", Files.readString(Stack.pki().certificate()).indent(4))
                .replace("@polls@", homeport.pollUrl() + "/api/v2/flux/clusters/" + ID + ".k8s.example.com");
    }
}
