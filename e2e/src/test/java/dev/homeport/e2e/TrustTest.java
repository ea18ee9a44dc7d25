package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Registry;
import dev.homeport.e2e.stack.Signer;
import dev.homeport.e2e.stack.Sops;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import tools.jackson.databind.JsonNode;

/** Artifacts with secrets in them, and signed artifacts: Homeport names the keys, and holds none. */
@OutsideIn
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class TrustTest {
    private final Managed managed = Managed.first();
    private final Registry registry = Stack.registry();

    @Test
    @Requirement(value = "E13", part = "SOPS with age")
    void whatSopsEncryptedIsDecryptedOnTheClusterAlone() {
        Sops sops = Sops.withNewKey();
        secret("sops-age", "age.agekey", sops.key());
        String sealed = sops.encrypted("""
                apiVersion: v1
                kind: Secret
                metadata: {name: sealed}
                stringData: {password: "open sesame"}
                """);
        assertThat(sealed).contains("ENC[AES256_GCM,").doesNotContain("open sesame");
        registry.artifact("platform/sealed", "1.0.0", Map.of("sealed/secret.yaml", sealed));
        managed.namespace("sealed");
        managed.kube.await(Kind.NAMESPACE, "", "sealed");
        component("sealed", "\"sops_secret\": \"sops-age\"");
        managed.awaitHealthy("sealed");
        Secret made = managed.kube
                .client()
                .secrets()
                .inNamespace("sealed")
                .withName("sealed")
                .get();
        assertThat(new String(Base64.getDecoder().decode(made.getData().get("password")), StandardCharsets.UTF_8))
                .isEqualTo("open sesame");
        assertThat(managed.homeport.answer(managed.id, "platform-components").toString())
                .contains("sops-age")
                .doesNotContain("open sesame")
                .doesNotContain("AGE-SECRET-KEY");
    }

    @Test
    @ResourceLock(Managed.STATE)
    void whatNobodyVouchesForIsRefusedAndSeenAsFailing() {
        Signer signer = new Signer();
        secret("cosign-key", "cosign.pub", signer.publicKey());
        registry.signedArtifact("platform/signed", "1.0.0", content("signed"), signer);
        registry.artifact("platform/signed", "1.1.0", content("unsigned"));
        registry.signedArtifact("platform/signed", "1.2.0", content("forged"), new Signer());
        managed.namespace("signed");
        managed.kube.await(Kind.NAMESPACE, "", "signed");
        component("signed", "\"verify\": {\"provider\": \"cosign\", \"secret\": \"cosign-key\"}");
        managed.awaitHealthy("signed");
        assertThat(by()).isEqualTo("signed");

        for (String tag : new String[] {"1.1.0", "1.2.0"}) {
            managed.assign("platform_components", "signed", "{\"oci_tag\": \"" + tag + "\"}");
            Await.holds("version " + tag + " is seen as failing", () -> {
                JsonNode component = managed.homeport
                        .get("/api/v2/clusters/" + managed.id + "/delivery")
                        .expect(200)
                        .at("/components/signed");
                assertThat(component.at("/desired/version").asString("")).isEqualTo(tag);
                assertThat(component.at("/failure/message").asString("")).contains("verif");
                assertThat(managed.homeport
                                .cluster(managed.id)
                                .at("/status/state")
                                .asString())
                        .isEqualTo("failing");
            });
            assertThat(by()).as("what runs is what was vouched for").isEqualTo("signed");
        }
        managed.assign("platform_components", "signed");
        managed.awaitHealthy("signed");
        Await.holds(
                "the failure is over",
                () -> assertThat(managed.homeport
                                .get("/api/v2/clusters/" + managed.id + "/delivery")
                                .expect(200)
                                .at("/components/signed/failure")
                                .isMissingNode())
                        .isTrue());
    }

    private static Map<String, String> content(String by) {
        return Map.of("signed/made.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: made}
                data: {by: "%s"}
                """.formatted(by));
    }

    private String by() {
        return managed.kube
                .client()
                .configMaps()
                .inNamespace("signed")
                .withName("made")
                .get()
                .getData()
                .get("by");
    }

    private void component(String name, String more) {
        managed.kustomize(name, """
                {"component_path": "%1$s", "cluster_env_enabled": false, "oci_url": "%2$s", %3$s}""".formatted(name, registry.url("platform/" + name), more));
        managed.assign("platform_components", name);
    }

    private void secret(String name, String key, String value) {
        managed.kube
                .client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(KubeCluster.NAMESPACE)
                        .endMetadata()
                        .addToStringData(key, value)
                        .build())
                .serverSideApply();
    }
}
