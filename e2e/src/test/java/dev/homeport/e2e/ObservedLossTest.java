package dev.homeport.e2e;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Figure;
import dev.homeport.e2e.stack.Stack;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/** What clusters reported is gone, and nothing changes on them that they would report. */
@Order(1)
@ResourceLock(Stack.DEFAULT_LIMIT)
@ResourceLock(Stack.EMBEDDED)
class ObservedLossTest {
    private final Managed managed = Managed.atDefaultLimit();

    @Test
    void whatWasLostIsAskedForAgain() {
        Await.until(
                "the cluster is in-sync",
                () -> delivery().path("state").asString("").equals("in-sync"),
                () -> delivery() + "\n" + managed.kube.describe());
        managed.homeport.loseObserved();
        Figure.print("the observed store is lost, until in-sync by witnesses", this::awaitKnownFromWitnesses);
    }

    private void awaitKnownFromWitnesses() {
        Await.until(
                "the cluster is in-sync, and known from its witnesses",
                () -> {
                    JsonNode delivery = delivery();
                    return delivery.path("state").asString("").equals("in-sync")
                            && delivery.path("state_source").asString("").equals("witness")
                            && delivery.at("/components/first-" + managed.id + "/healthy/source")
                                    .asString("")
                                    .equals("witness");
                },
                () -> delivery() + "\n" + managed.kube.describe());
    }

    private JsonNode delivery() {
        return managed.homeport
                .get("/api/v2/clusters/" + managed.id + "/delivery")
                .expect(200)
                .json();
    }
}
