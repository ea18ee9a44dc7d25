package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** After an old backup is restored, `accept` lists exactly what then goes. */
@OutsideIn
@Order(3)
@ResourceLock(Stack.POSTGRES)
class RestoreTest {
    @TempDir
    private Path folder;

    @Test
    void acceptListsExactlyTheObjectsThatThenGo() {
        Managed managed = Managed.onPostgres();
        managed.awaitHealthy("first-" + managed.id);
        String backup = folder.resolve("backup").toString();
        managed.homeport.admin(0, "backup", backup);

        managed.namespace("late-kept");
        managed.homeport.create("rolebindings", "late-view", """
                {"role": "view", "subjects": [{"kind": "Group", "name": "late"}]}""");
        managed.assign("rolebindings", "late-view");
        managed.helm("late", "{}");
        managed.assign("platform_components", "late");
        managed.awaitHealthy("late");
        managed.kube.await(Kind.NAMESPACE, "", "late-kept");
        managed.kube.await(Kind.CLUSTER_ROLE_BINDING, "", "late-view");
        for (String item : Set.of("late", "late-view", "=late-kept")) {
            Await.until(
                    item + " is on record",
                    () -> managed.homeport.hasRecorded(managed.id, item),
                    managed.kube::describe);
        }
        Map<String, String> before = managed.kube.settledBelongings();

        managed.homeport.kill();
        managed.homeport.admin(0, "restore", backup, "--force");
        String shown = managed.homeport.admin(2, "accept");
        assertThat(deleted(shown)).as(shown).containsExactly("platform-components/late", "rolebindings/late-view");
        assertThat(shown)
                .contains("other answer: " + managed.id, "stops managing namespaces/late-kept")
                .doesNotContain("unknown: " + managed.id);
        assertThat(managed.kube.belongings()).isEqualTo(before);

        managed.homeport.admin(0, "accept", "--yes");
        managed.homeport.startAgain();
        managed.unassign("platform_components", "late");
        managed.unassign("rolebindings", "late-view");
        managed.unassign("namespaces", "late-kept");
        managed.awaitGone("late");
        Await.until(
                "the role binding is gone",
                () -> managed.kube.find(Kind.RESOURCE_SET, "b-late-view").isEmpty()
                        && managed.kube
                                        .client()
                                        .rbac()
                                        .clusterRoleBindings()
                                        .withName("late-view")
                                        .get()
                                == null,
                managed.kube::describe);
        Map<String, String> gone = new TreeMap<>(before);
        gone.keySet().removeAll(managed.kube.settledBelongings().keySet());
        assertThat(gone.keySet())
                .as("nothing else went")
                .isNotEmpty()
                .allMatch(object -> object.endsWith("/c-late")
                        || object.endsWith("/b-late-view")
                        || object.endsWith("/late-view")
                        || object.contains(" late/"));
    }

    private static Set<String> deleted(String shown) {
        return shown.lines()
                .flatMap(line -> Arrays.stream(line.strip().split("; ", -1)))
                .filter(part -> part.startsWith("deletes "))
                .flatMap(part ->
                        Arrays.stream(part.substring("deletes ".length()).split(", ", -1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
