package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Flux with and without its lockdown for several tenants: what Homeport delivers works in both. */
@OutsideIn
@Order(6)
@ResourceLock(Stack.EMBEDDED)
class LockdownTest {
    private static final String ACCOUNT = "homeport-platform";

    @Test
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
