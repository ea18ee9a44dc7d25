package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Flux with and without its lockdown for several tenants: what Homeport delivers works in both. */
@OutsideIn
@Order(6)
@Execution(ExecutionMode.CONCURRENT)
class LockdownTest {
    private static final String ACCOUNT = "homeport-platform";
    private static final String ID = "eu-older-1";

    @Test
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    @ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ)
    @ResourceLock(Stack.SECOND)
    void whatHomeportDeliversWorksWithAnAccountAndATenantWithoutOneIsRefused() {
        Managed locked = Managed.second();
        locked.helm("locked-chart", "{}");
        locked.assign("platform_components", "locked-chart");
        locked.namespace("locked-files");
        locked.kustomize("locked-files", "{}");
        locked.assign("platform_components", "locked-files");
        locked.awaitHealthy("locked-chart");
        locked.awaitHealthy("locked-files");
        assertThat(account(locked.kube, Kind.HELM_RELEASE, "c-locked-chart")).isEqualTo(ACCOUNT);
        assertThat(account(locked.kube, Kind.KUSTOMIZATION, "c-locked-files")).isEqualTo(ACCOUNT);
        Await.holds(
                "reports arrive, so alert and sources are where the lockdown wants them",
                () -> assertThat(Stream.of("locked-chart", "locked-files")
                                .map(component -> locked.homeport
                                        .get("/api/v2/clusters/" + locked.id + "/delivery")
                                        .expect(200)
                                        .json()
                                        .at("/components/" + component)))
                        .allMatch(component -> component.has("healthy")));

        locked.kube.apply(tenant());
        Await.until(
                "the tenant's Kustomization is refused",
                () -> locked.kube
                        .find(Kind.KUSTOMIZATION, "tenant-l", "grab")
                        .filter(found -> Conditions.ready(found).equals("False")
                                && Conditions.message(found).contains("system:serviceaccount:tenant-l:default"))
                        .isPresent(),
                locked.kube::describe);
        assertThat(locked.kube.find(Kind.CONFIG_MAP, "victim", "settings")).isEmpty();

        Managed open = Managed.first();
        open.kube.apply(tenant());
        open.kube.await(Kind.CONFIG_MAP, "victim", "settings");
        for (Managed each : new Managed[] {locked, open}) {
            each.kube.kubectl("delete", "namespace", "tenant-l", "victim", "--wait=false");
        }
        for (String component : new String[] {"locked-chart", "locked-files"}) {
            locked.unassign("platform_components", component);
            locked.awaitGone(component);
        }
    }

    @Test
    @ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
    void anOlderClusterTakesTheAccountWithItsNewManifestsAndCanBeLockedDownThen() {
        Homeport homeport = Stack.embedded();
        homeport.create("platform-components", "older", """
                {"kind": "helm", "component_path": "web", "component_version": "%1$s", "oci_url": "%2$s",
                 "oci_tag": "%1$s", "target_namespace": "older", "interval": "10s", "timeout": "20s"}""".formatted(Catalog.OLD, Catalog.chart()));
        homeport.create("clusters", ID, """
                {"cluster_name": "%1$s", "cluster_dns": "%1$s.k8s.example.com", "environment": "dev", "owner": "team-b",
                 "poll_interval": "2s", "platform_components": [{"id": "older"}]}""".formatted(ID));
        String manifests = homeport.cli(
                "bootstrap",
                ID,
                "--url",
                homeport.pollUrl(),
                "--ca",
                Stack.pki().certificate().toString(),
                "--flux-instance",
                "present");
        try (KubeCluster kube = Stack.another("f")) {
            kube.apply(ofBefore(manifests));
            kube.awaitReady(Kind.RESOURCE_SET, "c-older");
            assertThat(account(kube, Kind.HELM_RELEASE, "c-older"))
                    .as("a root set that knows no account names none")
                    .isEmpty();
            Map<String, String> before = kube.settledBelongings();

            kube.apply(manifests);
            Await.until(
                    "the release names the account",
                    () -> account(kube, Kind.HELM_RELEASE, "c-older").equals(ACCOUNT),
                    kube::describe);
            kube.lockDown();
            homeport.patch("clusters", ID, "{\"patches\": {\"older\": {\"greeting\": \"locked\"}}}");
            Await.until(
                    "a change arrives under lockdown",
                    () ->
                            kube
                                    .client()
                                    .configMaps()
                                    .inNamespace("older")
                                    .withLabel("shows", "values")
                                    .list()
                                    .getItems()
                                    .stream()
                                    .anyMatch(map -> map.getData().get("values").contains("locked")),
                    kube::describe);
            kube.awaitReady(Kind.RESOURCE_SET, "c-older");
            assertThat(kube.belongings())
                    .as("nothing was deleted or made again")
                    .containsAllEntriesOf(before);
        } finally {
            homeport.cli("detach", ID, "--yes", "--reason", "the cluster is gone");
        }
    }

    /** Manifests of a release that had no account for components. */
    private static String ofBefore(String manifests) {
        String without = manifests.replaceAll(" ?\\\\?\"platform-account\\\\?\" \\\\?\"" + ACCOUNT + "\\\\?\"", "");
        assertThat(without).isNotEqualTo(manifests).doesNotContain("\"platform-account\"");
        StringBuilder kept = new StringBuilder();
        for (String document : without.split("(?m)^---$", -1)) {
            if (!document.isBlank()
                    && !document.contains("name: \"" + ACCOUNT + "\"")
                    && !document.contains("name: " + ACCOUNT + "\n")) {
                kept.append("---").append(document);
            }
        }
        assertThat(kept.toString()).doesNotContain("\"" + ACCOUNT + "\"");
        return kept.toString();
    }

    private static String account(KubeCluster kube, Kind kind, String name) {
        GenericKubernetesResource object = kube.find(kind, name).orElseThrow();
        String account = object.get("spec", "serviceAccountName");
        return account == null ? "" : account;
    }

    /** What a person with edit rights in a namespace can create: it names no account, and another namespace to write to. */
    private static String tenant() {
        return """
                apiVersion: v1
                kind: Namespace
                metadata: {name: tenant-l}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: victim}
                ---
                apiVersion: source.toolkit.fluxcd.io/v1
                kind: OCIRepository
                metadata: {name: grab, namespace: tenant-l}
                spec: {interval: 1m, url: "%s", ref: {tag: "%s"}, insecure: true}
                ---
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: grab, namespace: tenant-l}
                spec:
                  interval: 1m
                  prune: true
                  sourceRef: {kind: OCIRepository, name: grab}
                  path: ./apps/settings/dev
                  targetNamespace: victim
                """.formatted(Catalog.artifact(), Catalog.OLD);
    }
}
