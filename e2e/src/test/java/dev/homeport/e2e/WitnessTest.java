package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Figure;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * What Homeport says of a cluster is what is on it, also where Flux sends no event, or sends one that its own
 * notification-controller drops because it sent the same a moment ago.
 */
@Order(5)
@ResourceLock(Stack.DEFAULT_LIMIT)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class WitnessTest {
    private static final String WEBHOOK = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: policy}
            webhooks:
              - name: policy.example.com
                clientConfig: {url: "https://127.0.0.1:1/"}
                failurePolicy: Fail
                sideEffects: None
                admissionReviewVersions: [v1]
                timeoutSeconds: 1
                matchConditions: [{name: one, expression: "object.metadata.name == 'policed'"}]
                rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [namespaces]}]
            """;

    private final Managed managed = Managed.atDefaultLimit();

    @Test
    void aPolicyWebhookThatWasAwayLeavesNothingFailing() {
        managed.namespace("policed");
        managed.kube.await(Kind.NAMESPACE, "", "policed");
        awaitState("in-sync");
        managed.kube.apply(WEBHOOK);
        try {
            managed.kube.reconcile(Kind.RESOURCE_SET, "homeport-namespaces");
            awaitState("failing");
        } finally {
            managed.kube.kubectl("delete", "validatingwebhookconfiguration", "policy");
        }
        Figure.print("a policy webhook is back, until in-sync", () -> awaitState("in-sync"));
        assertThat(delivery().at("/types/namespaces/applied/source").asString(""))
                .isEqualTo("witness");
    }

    @Test
    void aReleaseThatWasRevertedIsInSyncAgain() {
        managed.helm("reverted", "{}");
        managed.assign("platform_components", "reverted");
        awaitState("in-sync");
        managed.assign("platform_components", "reverted", "{\"oci_tag\":\"" + Catalog.BROKEN + "\"}");
        awaitState("failing");
        managed.assign("platform_components", "reverted");
        Figure.print("a failed upgrade is reverted, until in-sync", () -> awaitState("in-sync"));
        managed.unassign("platform_components", "reverted");
        managed.awaitGone("reverted");
    }

    /** The wording of the error is not an API of Flux's: this is where a new version is noticed that words it otherwise. */
    @Test
    void aClusterAnswersInTheWordsThatAreUnderstood() {
        awaitState("in-sync");
        managed.helm("worded", "{}");
        managed.assign("platform_components", "worded");
        Await.holds("the component is known from a witness", () -> {
            managed.kube.reconcile(Kind.PROVIDER, "homeport-witnesses");
            assertThat(delivery().at("/components/worded/healthy/source").asString(""))
                    .isEqualTo("witness");
        });
        managed.unassign("platform_components", "worded");
        managed.awaitGone("worded");
        assertThat(managed.kube.list(Kind.RESOURCE_SET).stream()
                        .filter(set -> set.getMetadata().getName().startsWith("homeport-witness-"))
                        .map(GenericKubernetesResource::getAdditionalProperties)
                        .map(properties -> String.valueOf(properties.get("status"))))
                .as("no set stopped at an expression that cannot be read")
                .noneMatch(status -> status.contains("InvalidCELExpression"));
    }

    /** The operator renews its report every five minutes, and writes the first one when it starts. */
    @Test
    void aClusterSaysWhichVersionsItRuns() {
        awaitState("in-sync");
        Await.until(
                "the versions are known",
                () -> delivery()
                                .at("/facts/kubernetes_version/value")
                                .asString("")
                                .startsWith("v1.")
                        && delivery().at("/facts/current").asBoolean(false),
                () -> delivery().path("facts") + "\n" + managed.kube.describe());
        JsonNode facts = delivery().path("facts");
        assertThat(facts.at("/kubernetes_version/source").asString("")).isEqualTo("witness");
        assertThat(facts.at("/platform/value").asString("")).startsWith("linux/");
        assertThat(facts.at("/flux_operator_version/value").asString("")).isNotBlank();
    }

    @Test
    void aProbeIsAnsweredByTheCluster() {
        awaitState("in-sync");
        managed.kube.apply(probed("3"));
        managed.homeport.create("probes", "probed", """
                {"object": {"api_version": "v1", "kind": "ConfigMap", "name": "probed", "namespace": "default"},
                 "expression": "int(data.size) >= 3", "scope": {"cluster": "%s"}}""".formatted(managed.id));
        awaitOutcome("passed", "");
        managed.kube.apply(probed("1"));
        awaitOutcome("failed", "");
        managed.kube.apply(probed("many"));
        awaitOutcome("error", "");
        managed.homeport.patch("probes", "probed", "{\"expression\": \"data.size + '/' + metadata.name\"}");
        awaitOutcome("answered", "many/probed");
        managed.kube.kubectl("delete", "configmap", "probed", "-n", "default");
        awaitOutcome("failed", "the object does not exist");
        managed.homeport
                .send("DELETE", "/api/v2/probes/probed", "", Map.of("If-Match", "*"))
                .expect(200);
        Await.until(
                "the probe's set is gone",
                () -> managed.kube.list(Kind.RESOURCE_SET).stream()
                        .map(set -> String.valueOf(set.getMetadata().getAnnotations()))
                        .noneMatch(annotations -> annotations.contains("probe/probed")));
        awaitState("in-sync");
    }

    private static String probed(String size) {
        return """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: probed, namespace: default}
                data: {size: "%s"}
                """.formatted(size);
    }

    private void awaitOutcome(String outcome, String answer) {
        Await.until(
                "the probe is " + outcome,
                () -> {
                    JsonNode result = delivery().at("/probes/0");
                    return result.path("outcome").asString("").equals(outcome)
                            && result.path("answer").asString("").contains(answer);
                },
                () -> delivery().path("probes") + "\n" + managed.kube.describe());
    }

    private void awaitState(String state) {
        Await.until(
                "the cluster is " + state,
                () -> delivery().path("state").asString("").equals(state),
                () -> delivery() + "\n" + managed.kube.describe());
    }

    private JsonNode delivery() {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .json();
    }
}
