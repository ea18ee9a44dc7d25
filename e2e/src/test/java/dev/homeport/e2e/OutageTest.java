package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Homeport is away, or comes back, or a cluster loses its memory meanwhile. */
@OutsideIn
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class OutageTest {
    private final List<Homeport> concerned = new ArrayList<>();

    /** Whose server goes away; it is back afterwards. */
    private Managed with(Managed managed) {
        concerned.add(managed.homeport);
        managed.awaitHealthy("first-" + managed.id);
        return managed;
    }

    @AfterEach
    void comeBack() {
        for (Homeport homeport : concerned) {
            if (!homeport.isRunning()) {
                homeport.startAgain();
            }
        }
    }

    @Test
    @Requirement("A11")
    @ResourceLock(Stack.EMBEDDED)
    @ResourceLock(Stack.FIRST)
    void aKilledServerDeletesNothingAndChangesArriveAfterwards() {
        everythingIsKeptWhileAwayAndChangesArriveAfterwards(with(Managed.first()), "after-outage");
    }

    @Test
    @Requirement("A11")
    @ResourceLock(Stack.POSTGRES)
    void aServerOnPostgresqlThatRefusesConnectionsDeletesNothingEither() {
        everythingIsKeptWhileAwayAndChangesArriveAfterwards(with(Managed.onPostgres()), "after-refusal");
    }

    private static void everythingIsKeptWhileAwayAndChangesArriveAfterwards(Managed managed, String name) {
        managed.helm(name, "{\"values\":{\"greeting\":\"before\"}}");
        managed.assign("platform_components", name);
        managed.awaitHealthy(name);
        Map<String, String> before = managed.kube.settledBelongings();

        managed.homeport.kill();
        assertThat(managed.kube.reconcileEverything())
                .as("each says that it does not reach Homeport")
                .hasSizeGreaterThan(Managed.TYPES.size())
                .allMatch(provider -> Conditions.ready(provider).equals("False"));
        assertThat(managed.kube.belongings()).isEqualTo(before);

        managed.kube
                .client()
                .rbac()
                .clusterRoleBindings()
                .withName("first-" + managed.id)
                .delete();
        managed.kube.reconcile(Kind.RESOURCE_SET, "b-first-" + managed.id);
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", "first-" + managed.id);

        managed.homeport.startAgain();
        managed.patchValues(name, "{\"greeting\":\"after\"}");
        Await.holds(
                "the change arrives",
                () -> assertThat(managed.running(name).path("greeting").asString())
                        .isEqualTo("after"));
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.PROVIDER);
    }

    @Test
    @ResourceLock(Stack.EMBEDDED)
    @ResourceLock(Stack.FIRST)
    void aProviderThatIsMadeAnewMeanwhileDeletesNothing() {
        Managed managed = with(Managed.first());
        managed.kube.settledBelongings();
        Map<String, String> before = withoutProviders(managed);
        List<GenericKubernetesResource> providers = managed.kube.list(Kind.PROVIDER);
        assertThat(providers).hasSizeGreaterThanOrEqualTo(3);

        managed.homeport.kill();
        for (GenericKubernetesResource provider : providers) {
            managed.kube.client().resource(provider).delete();
            Await.until(
                    "the provider is gone",
                    () -> managed.kube
                            .find(Kind.PROVIDER, provider.getMetadata().getName())
                            .filter(other -> other.getMetadata()
                                    .getUid()
                                    .equals(provider.getMetadata().getUid()))
                            .isEmpty(),
                    managed.kube::describe);
        }
        managed.kube.reconcileEverything();
        assertThat(withoutProviders(managed)).isEqualTo(before);
        providers.forEach(provider -> {
            GenericKubernetesResource anew = new GenericKubernetesResource();
            anew.setApiVersion(provider.getApiVersion());
            anew.setKind(provider.getKind());
            anew.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                    .withName(provider.getMetadata().getName())
                    .withNamespace(provider.getMetadata().getNamespace())
                    .withLabels(provider.getMetadata().getLabels())
                    .withAnnotations(provider.getMetadata().getAnnotations())
                    .build());
            anew.setAdditionalProperty("spec", provider.get("spec"));
            managed.kube.client().resource(anew).serverSideApply();
        });
        managed.kube.reconcileEverything();
        assertThat(withoutProviders(managed)).isEqualTo(before);

        managed.homeport.startAgain();
        managed.kube.awaitEachReady(Kind.PROVIDER);
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.RESOURCE_SET);
        assertThat(withoutProviders(managed)).isEqualTo(before);
    }

    private static Map<String, String> withoutProviders(Managed managed) {
        Map<String, String> all = managed.kube.belongings();
        all.keySet().removeIf(object -> object.startsWith(Kind.PROVIDER.name() + " "));
        return all;
    }

    @Test
    @ResourceLock(Stack.EMBEDDED)
    @ResourceLock(Stack.FIRST)
    void anOperatorThatStartsAnewMeanwhileDeletesNothing() {
        Managed managed = with(Managed.first());
        Map<String, String> before = managed.kube.settledBelongings();
        managed.homeport.kill();
        managed.kube.restartOperator();
        managed.kube.reconcileEverything();
        assertThat(managed.kube.belongings()).isEqualTo(before);
    }

    @Test
    @ResourceLock(Stack.EMBEDDED)
    @ResourceLock(Stack.FIRST)
    void aRestartOfHomeportMakesNoClusterReconcile() {
        Managed managed = with(Managed.first());
        managed.kube.reconcileEverything();
        Map<String, Object> before = whenCalm(managed);
        managed.homeport.kill();
        managed.homeport.startAgain();
        Stack.gateway().forget();
        managed.kube
                .list(Kind.PROVIDER)
                .forEach(provider -> managed.kube.reconcile(
                        Kind.PROVIDER, provider.getMetadata().getName()));
        assertThat(Stack.gateway().seen()).isNotEmpty();
        assertThat(exported(managed)).isEqualTo(before);
    }

    /** What Flux has put off for a later try, because of what was before, is over when longer than that nothing happens. */
    private static Map<String, Object> whenCalm(Managed managed) {
        return Await.value("Flux is calm", () -> {
            Map<String, Object> before = exported(managed);
            Thread.sleep(KubeCluster.LONGEST_DELAY.plusSeconds(1));
            return Optional.of(exported(managed)).filter(before::equals);
        });
    }

    /** A set is rendered again whenever its provider's revision changes, and not otherwise. */
    private static Map<String, Object> exported(Managed managed) {
        Map<String, Object> all = new java.util.TreeMap<>();
        managed.kube
                .list(Kind.PROVIDER)
                .forEach(provider ->
                        all.put(provider.getMetadata().getName(), provider.get("status", "lastExportedRevision")));
        managed.kube.list(Kind.RESOURCE_SET).stream()
                .filter(set -> set.get("spec", "inputsFrom") != null)
                .forEach(set -> all.put("set " + set.getMetadata().getName(), set.get("status", "history")));
        // What is asked of a cluster follows what it reports, whether or not Homeport starts again.
        all.keySet().removeIf(name -> name.endsWith("homeport-witnesses"));
        return all;
    }
}
