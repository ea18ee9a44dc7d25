package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Gateway;
import dev.homeport.e2e.stack.Http;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A cluster's token is replaced, or is wrong. */
@OutsideIn
@Order(5)
@ResourceLock(Stack.FIRST)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
class TokenRotationTest {
    private static final String SECRET = "homeport-token";

    private final Managed managed = Managed.first();

    @Test
    @Requirement("E3")
    void aTokenIsRotatedWithoutAFailedPoll() {
        managed.awaitHealthy("first-" + managed.id);
        String old = token();
        Stack.gateway().forget();
        managed.kube.reconcileEverything();
        Http.Answer rotated = managed.homeport
                .send("POST", "/api/v2/tokens/" + id(old) + ":rotate", "{\"overlap_seconds\":600}", Map.of())
                .expect(201);
        managed.kube.reconcileEverything();
        put(rotated.at("/token").stringValue());
        managed.kube.reconcileEverything();
        managed.homeport
                .send("DELETE", "/api/v2/tokens/" + id(old), "", Map.of())
                .expect(200);
        managed.kube.reconcileEverything();
        var polls =
                Stack.gateway().seen().stream().filter(Gateway.Exchange::isPoll).toList();
        assertThat(polls).allMatch(poll -> poll.status() == 200);
        assertThat(polls.stream()
                        .map(poll -> poll.headers().get("Authorization"))
                        .collect(Collectors.toSet()))
                .as("both were used")
                .hasSize(2);
    }

    @Test
    @Requirement("A11")
    void aWrongTokenIsRefusedAndDeletesNothing() {
        managed.awaitHealthy("first-" + managed.id);
        Map<String, String> before = managed.kube.settledBelongings();
        String right = token();
        put("hpc_wrong");
        managed.kube.awaitEachRefused(401);
        managed.kube.reconcileEverything();
        assertThat(managed.kube.belongings()).isEqualTo(before);
        put(right);
        managed.kube.reconcileEverything();
        managed.kube.awaitEachReady(Kind.PROVIDER);
        assertThat(managed.kube.belongings()).isEqualTo(before);
    }

    /** The part that is no secret: kind_ID_secret. */
    private static String id(String token) {
        return token.split("_", -1)[1];
    }

    private String token() {
        String encoded = managed.kube
                .client()
                .secrets()
                .inNamespace(KubeCluster.NAMESPACE)
                .withName(SECRET)
                .get()
                .getData()
                .get("token");
        return new String(Base64.getDecoder().decode(encoded), java.nio.charset.StandardCharsets.UTF_8);
    }

    private void put(String token) {
        managed.kube
                .client()
                .secrets()
                .inNamespace(KubeCluster.NAMESPACE)
                .withName(SECRET)
                .edit(secret -> {
                    secret.setStringData(Map.of("token", token));
                    return secret;
                });
    }
}
