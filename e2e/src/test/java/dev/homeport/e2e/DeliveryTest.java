package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** What people change arrives where it should, as they wrote it, and nowhere else. */
@OutsideIn
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@ResourceLock(value = Stack.SECOND, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class DeliveryTest {
    private static final Kind EXTERNAL_SECRET = new Kind("external-secrets.io/v1", "ExternalSecret");

    /** What is on a cluster on which External Secrets runs, and whose people let Homeport's other types make such objects. */
    private static final String EXTERNAL_SECRETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: externalsecrets.external-secrets.io}
            spec:
              group: external-secrets.io
              scope: Namespaced
              names: {kind: ExternalSecret, plural: externalsecrets, singular: externalsecret}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: homeport-external-secrets
              labels: {homeport.dev/aggregate-to-other-types: "true"}
            rules:
              - apiGroups: [external-secrets.io]
                resources: [externalsecrets]
                verbs: [get, list, watch, create, update, patch, delete]
            """;

    private final Managed dev = Managed.first();
    private final Managed prod = Managed.second();

    private void onBoth(String component) {
        dev.assign("platform_components", component);
        prod.assign("platform_components", component);
        dev.awaitHealthy(component);
        prod.awaitHealthy(component);
    }

    @Test
    @Requirement({"B8", "B9"})
    void aPatchChangesTheRunningValuesOfOneCluster() {
        dev.helm("patched", "{\"values\":{\"ui\":{\"message\":\"hello\",\"colour\":\"blue\"},\"replicas\":2}}");
        onBoth("patched");
        prod.patchValues("patched", "{\"replicas\":5,\"ui.message\":\"from one cluster\"}");
        Await.holds(
                "production runs with its own values",
                () -> assertThat(prod.running("patched")).isEqualTo(json("""
                        {"replicas": 5, "ui": {"message": "from one cluster", "colour": "blue"}}""")));
        dev.patchValues("patched", "{\"replicas\":1}");
        Await.holds(
                "development runs with its own values",
                () -> assertThat(dev.running("patched")).isEqualTo(json("""
                        {"replicas": 1, "ui": {"message": "hello", "colour": "blue"}}""")));
    }

    @Test
    @Requirement("B7")
    void disablingRemovesAndEnablingRestores() {
        dev.helm("switched", "{}");
        dev.assign("platform_components", "switched");
        dev.awaitHealthy("switched");
        dev.assign("platform_components", "switched", "{\"enabled\":false}");
        dev.awaitGone("switched");
        dev.assign("platform_components", "switched", "{\"enabled\":true}");
        dev.awaitHealthy("switched");
        assertThat(dev.runningVersion("switched")).isEqualTo(Catalog.OLD);
    }

    @Test
    void aStatefulChartThatMovesIsUninstalledAsThePlanSays() {
        dev.helm("moving", "{\"stateful\":true}");
        dev.assign("platform_components", "moving");
        dev.awaitHealthy("moving");
        String move = "{\"target_namespace\":\"moved\"}";
        JsonNode plan = dev.homeport
                .send(
                        "PATCH",
                        "/api/v2/platform-components/moving?dry_run=true",
                        "{\"spec\":" + move + "}",
                        Map.of("Content-Type", "application/merge-patch+json"))
                .expect(200)
                .json();
        assertThat(plan.at("/plan/guards").toString()).contains("which is stateful");
        dev.homeport.patch("platform-components", "moving", move);
        Await.until(
                "helm-controller has uninstalled the release and installed it elsewhere",
                () -> shown("moving") == 0 && shown("moved") == 1,
                dev.kube::describe);
    }

    private int shown(String namespace) {
        return dev.kube
                .client()
                .configMaps()
                .inNamespace(namespace)
                .withLabel("shows", "values")
                .list()
                .getItems()
                .size();
    }

    @Test
    @Requirement("B13")
    void theTierPicksItsOverlayFromTheArtifact() {
        dev.namespace("tiered");
        prod.assign("namespaces", "tiered");
        dev.kube.await(Kind.NAMESPACE, "", "tiered");
        prod.kube.await(Kind.NAMESPACE, "", "tiered");
        dev.kustomize("tiered", "{}");
        onBoth("tiered");
        assertThat(dev.settings("tiered"))
                .containsEntry("replicas", "1")
                .containsEntry("persistence", "false")
                .doesNotContainKey("domain");
        assertThat(prod.settings("tiered"))
                .containsEntry("replicas", "3")
                .containsEntry("persistence", "true")
                .containsEntry("domain", "example.com")
                .containsEntry("issuer", "letsencrypt-production");

        prod.patchValues("tiered", "{\"greeting\":\"from one cluster\"}");
        prod.homeport.patch("clusters", prod.id, "{\"environment\":\"uat\"}");
        Await.holds(
                "the staging overlay is running",
                () -> assertThat(prod.settings("tiered"))
                        .containsEntry("replicas", "2")
                        .containsEntry("domain", "staging.example.com")
                        .containsEntry("greeting", "from one cluster")
                        .doesNotContainKey("issuer"));
        prod.homeport.patch("clusters", prod.id, "{\"environment\":\"prod\"}");
        Await.holds(
                "production's is back",
                () -> assertThat(prod.settings("tiered")).containsEntry("replicas", "3"));
    }

    @Test
    @Requirement(value = "B15", part = "the order is held by ResourceSets")
    void whatIsDependedOnComesFirst() {
        dev.namespace("needed");
        dev.kube.await(Kind.NAMESPACE, "", "needed");
        dev.kustomize("needed", "{}");
        dev.helm("needing", "{\"depends_on\":[\"needed\"]}");
        dev.assign("platform_components", "needed", "{\"oci_tag\":\"not-there-yet\"}");
        dev.assign("platform_components", "needing");
        Await.until(
                "it waits for what it needs",
                () -> dev.kube
                        .find(Kind.RESOURCE_SET, "c-needing")
                        .map(Conditions::reason)
                        .orElse("")
                        .equals("DependencyNotReady"),
                dev.kube::describe);
        assertThat(dev.kube.client().namespaces().withName("needing").get()).isNull();
        dev.assign("platform_components", "needed");
        dev.awaitHealthy("needing");
        assertThat(dev.settings("needed")).containsEntry("replicas", "1");
    }

    @Test
    @Requirement("B18")
    void oneComponentKnowsOnWhichClusterItRuns() {
        dev.helm("mesh", """
                {"values": {"global": {"meshID": "mesh-1", "trustDomain": "example.com",
                 "multiCluster": {"clusterName": {"$cluster": "name"}}, "network": {"$cluster": "labels.network"}}}}""");
        dev.homeport.patch("clusters", dev.id, "{\"labels\":{\"network\":\"net-dev\"}}");
        prod.homeport.patch("clusters", prod.id, "{\"labels\":{\"network\":\"net-prod\"}}");
        onBoth("mesh");
        for (Managed one : List.of(dev, prod)) {
            JsonNode global = one.running("mesh").path("global");
            assertThat(global.path("meshID").asString()).isEqualTo("mesh-1");
            assertThat(global.path("trustDomain").asString()).isEqualTo("example.com");
            assertThat(global.at("/multiCluster/clusterName").asString()).isEqualTo(one.id);
            assertThat(global.path("network").asString()).isEqualTo(one == dev ? "net-dev" : "net-prod");
        }
    }

    @Test
    @Requirement("E12")
    void aSecretOfTheClusterIsReferredToAndNeverSeen() {
        dev.kube
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("database")
                        .withNamespace(KubeCluster.NAMESPACE)
                        .endMetadata()
                        .addToStringData("password", "correct horse")
                        .build())
                .create();
        dev.helm("secretive", """
                {"secret_refs": [{"name": "database", "values_key": "password", "target_path": "database.password"}]}""");
        dev.assign("platform_components", "secretive");
        dev.awaitHealthy("secretive");
        assertThat(dev.running("secretive").at("/database/password").asString()).isEqualTo("correct horse");
        assertThat(dev.homeport.answer(dev.id, "platform-components").toString())
                .doesNotContain("correct horse");
    }

    @Test
    @Requirement({"E12", "H1"})
    void aTypeAddedLaterReachesTheClusterByItself() {
        dev.kube.apply(EXTERNAL_SECRETS);
        dev.homeport.create("types", "external_secret", """
                {"plural": "external-secrets", "schema": {"type": "object", "required": ["store", "key"],
                 "properties": {"store": {"type": "string"}, "key": {"type": "string"}}}, "template": %s}""".formatted(StringNode.valueOf("""
                                <<- range $i := inputs.items >>
                                ---
                                apiVersion: "external-secrets.io/v1"
                                kind: "ExternalSecret"
                                metadata:
                                  name: << $i.id | toJson >>
                                  namespace: "@namespace@"
                                spec:
                                  secretStoreRef:
                                    kind: "ClusterSecretStore"
                                    name: << $i.store | toJson >>
                                  dataFrom:
                                    - extract:
                                        key: << $i.key | toJson >>
                                <<- end >>
                                """)));
        dev.homeport.create("external-secrets", "database", "{\"store\": \"vault\", \"key\": \"apps/database\"}");
        dev.homeport.patch("clusters", dev.id, "{\"refs\": {\"external-secrets\": [{\"id\": \"database\"}]}}");
        GenericKubernetesResource made = dev.kube.await(EXTERNAL_SECRET, KubeCluster.NAMESPACE, "database");
        String store = made.get("spec", "secretStoreRef", "name");
        assertThat(store).isEqualTo("vault");
        assertThat(made.getMetadata().getLabels()).containsEntry("cluster", dev.id);
        prod.kube.await(Kind.RESOURCE_SET, KubeCluster.NAMESPACE, "homeport-external-secrets");

        dev.homeport.patch("clusters", dev.id, "{\"refs\": null}");
        Await.until(
                "the object is gone",
                () -> dev.kube.find(EXTERNAL_SECRET, "database").isEmpty(),
                dev.kube::describe);
    }

    @Test
    @Requirement("G10")
    void whatIsDeliveredCarriesTheClustersName() {
        dev.helm("labelled", "{}");
        onBoth("labelled");
        for (Managed one : List.of(dev, prod)) {
            for (Kind kind : List.of(Kind.RESOURCE_SET, Kind.OCI_REPOSITORY, Kind.HELM_RELEASE)) {
                assertThat(one.kube.list(kind))
                        .isNotEmpty()
                        .allMatch(object ->
                                one.id.equals(object.getMetadata().getLabels().get("cluster")));
            }
            assertThat(one.kube
                            .client()
                            .configMaps()
                            .inNamespace("labelled")
                            .withLabel("shows", "values")
                            .list()
                            .getItems()
                            .getFirst()
                            .getMetadata()
                            .getLabels())
                    .containsEntry("cluster", one.id);
        }
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
