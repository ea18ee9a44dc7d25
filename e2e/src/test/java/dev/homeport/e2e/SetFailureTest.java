package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** What a cluster that was bootstrapped without further options says of its ResourceSets. */
@OutsideIn
@Order(5)
@ResourceLock(Stack.DEFAULT_LIMIT)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class SetFailureTest {
    private static final Set<String> OPERATOR_KINDS = Set.of("ResourceSet", "ResourceSetInputProvider");
    private static final String POLICY = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: refuse-one}
            spec:
              failurePolicy: Fail
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [namespaces]}
              validations:
              - {expression: "object.metadata.name != 'refused'", message: "this namespace is forbidden"}
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: refuse-one}
            spec: {policyName: refuse-one, validationActions: [Deny]}
            """;

    private final Managed managed = Managed.atDefaultLimit();
    private final KubeCluster kube = managed.kube;

    @Test
    void aSetThatFailsIsSeen() {
        Await.until(
                "every set reports", () -> !delivery().has("not_reporting"), () -> delivery() + "\n" + kube.describe());
        kube.apply(POLICY);
        try {
            Await.until("the policy is in force", this::isRefused, kube::describe);
            managed.namespace("refused");
            Await.until(
                    "the failure of the namespaces' set is shown",
                    () -> delivery()
                                    .at("/types/namespaces/failure/message")
                                    .asString("")
                                    .contains("this namespace is forbidden")
                            && delivery().path("state").asString("").equals("failing"),
                    () -> delivery() + "\n" + kube.describe());
            assertThat(managed.homeport.cli("delivery", managed.id)).contains("this namespace is forbidden");
        } finally {
            kube.kubectl(
                    "delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "refuse-one", "--wait");
        }
        managed.unassign("namespaces", "refused");
        Await.until(
                "the failure is over",
                () -> !delivery().at("/types/namespaces").has("failure"),
                () -> delivery() + "\n" + kube.describe());
    }

    /** Without a FluxInstance, Flux's definition of an alert does not list the operator's kinds. */
    @Test
    void theAlertOnSetsIsMadeOnceFluxAllowsIt() {
        kube.awaitReady(Kind.RESOURCE_SET, "homeport-operator");
        // What a witness says while there is no alert is lost, and asked for again after ten minutes only.
        Await.until(
                "all that the cluster was asked is answered",
                () -> hasAnsweredEverything(delivery()),
                () -> delivery() + "\n" + kube.describe());
        CustomResourceDefinition extended = alerts();
        CustomResourceDefinition plain = alerts();
        plain.getSpec()
                .getVersions()
                .forEach(version -> version.getSchema()
                        .getOpenAPIV3Schema()
                        .getProperties()
                        .get("spec")
                        .getProperties()
                        .get("eventSources")
                        .getItems()
                        .getSchema()
                        .getProperties()
                        .get("kind")
                        .getEnum()
                        .removeIf(kind -> OPERATOR_KINDS.contains(kind.asText())));
        replace(plain);
        try {
            kube.kubectl("--namespace", KubeCluster.NAMESPACE, "delete", "alert", "homeport-operator");
            assertThat(Conditions.reason(kube.reconcile(Kind.RESOURCE_SET, "homeport-operator")))
                    .isEqualTo("DependencyNotReady");
            assertThat(kube.find(Kind.ALERT, "homeport-operator")).isEmpty();
        } finally {
            replace(extended);
        }
        kube.await(Kind.ALERT, KubeCluster.NAMESPACE, "homeport-operator");
        kube.awaitReady(Kind.RESOURCE_SET, "homeport-operator");
    }

    private boolean hasAnsweredEverything(JsonNode delivery) {
        return Managed.TYPES.stream()
                        .map(type -> delivery.at("/types/" + type + "/applied/source"))
                        .allMatch(source -> source.asString("").equals("witness"))
                && delivery.at("/components/first-" + managed.id + "/healthy/source")
                        .asString("")
                        .equals("witness")
                && delivery.at("/facts/current").asBoolean(false)
                && delivery.path("state").asString("").equals("in-sync");
    }

    private CustomResourceDefinition alerts() {
        return kube.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("alerts.notification.toolkit.fluxcd.io")
                .get();
    }

    private void replace(CustomResourceDefinition definition) {
        definition.getMetadata().setResourceVersion(null);
        kube.client().resource(definition).update();
    }

    private boolean isRefused() {
        try {
            kube.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("refused")
                            .endMetadata()
                            .build())
                    .dryRun()
                    .create();
            return false;
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage()).contains("this namespace is forbidden");
        }
    }

    private JsonNode delivery() {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .json();
    }
}
