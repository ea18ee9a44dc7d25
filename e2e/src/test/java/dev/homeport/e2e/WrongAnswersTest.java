package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Gateway;
import dev.homeport.e2e.stack.Gateway.Behaviour;
import dev.homeport.e2e.stack.Gateway.Response;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a cluster is answered instead of what is right, it keeps everything it has. */
@OutsideIn
@Order(4)
@ResourceLock(Stack.FIRST)
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
@Requirement("A11")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongAnswersTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int FLUX_LIMIT = 10_000;
    private static final int FLUX_BYTES = 900 * 1024;

    private Managed managed;

    @BeforeAll
    void aClusterWithSomethingToLose() {
        managed = Managed.first();
        managed.homeport.create("clusters", "another", """
                {"cluster_name": "another", "cluster_dns": "another.k8s.example.com", "environment": "dev",
                 "owner": "team-a"}""");
        managed.awaitHealthy("first-" + managed.id);
    }

    @TestFactory
    Stream<DynamicTest> nothingIsDeleted() {
        return Stream.of(
                wrong("404", (path, honest) -> Response.json(404, "{\"inputs\":[]}")),
                wrong("410", (path, honest) -> Response.json(410, "{\"inputs\":[]}")),
                wrong("429", (path, honest) -> Response.json(429, "{\"inputs\":[]}")),
                wrong("500", (path, honest) -> Response.json(500, "{\"inputs\":[]}")),
                wrong("503", (path, honest) -> Response.json(503, "{\"inputs\":[]}")),
                wrong("nothing at all", (path, honest) -> Response.json(200, "")),
                wrong("a page to log in", (path, honest) -> Response.json(200, "<html>Welcome to our Wi-Fi</html>")),
                wrong("half an answer", (path, honest) -> {
                    String whole = text(honest.get());
                    return Response.json(200, whole.substring(0, whole.length() / 2));
                }),
                wrong("an empty list", (path, honest) -> Response.json(200, "{\"inputs\":[]}")),
                wrong("no list", (path, honest) -> Response.json(200, "{\"inputs\":null}")),
                wrong(
                        "more than 900 KiB",
                        (path, honest) ->
                                changed(honest.get(), inputs -> inputs.put("padding", "x".repeat(FLUX_BYTES)))),
                wrong("more inputs than Flux's limit", (path, honest) -> manyInputs()),
                wrong(
                        "the answer twice",
                        (path, honest) -> changed(honest.get(), body -> {
                            ObjectNode again = (ObjectNode) body.at("/inputs/0").deepCopy();
                            ((ArrayNode) body.get("inputs")).add(again.put("id", "twice"));
                        })),
                wrong("another cluster's answer", (path, honest) -> another(path)),
                wrong(
                        "another type's answer",
                        (path, honest) -> changed(
                                honest.get(),
                                body -> ((ObjectNode) body.at("/inputs/0")).put("type", "something-else"))),
                wrong(
                        "a list that was cut",
                        (path, honest) ->
                                changed(honest.get(), body -> ((ArrayNode) body.at("/inputs/0/items")).remove(0))),
                wrong(
                        "a list that was emptied",
                        (path, honest) ->
                                changed(honest.get(), body -> ((ArrayNode) body.at("/inputs/0/items")).removeAll())),
                wrong(
                        "a list that was cut together with its count",
                        (path, honest) -> changed(honest.get(), body -> {
                            ArrayNode items = (ArrayNode) body.at("/inputs/0/items");
                            items.remove(items.size() - 1);
                            ((ObjectNode) body.at("/inputs/0")).put("count", items.size());
                        })),
                wrong(
                        "an empty list that says it is confirmed",
                        (path, honest) -> changed(honest.get(), body -> {
                            ((ArrayNode) body.at("/inputs/0/items")).removeAll();
                            ((ObjectNode) body.at("/inputs/0")).put("count", 0).put("drain", true);
                        })),
                wrong(
                        "an unconfirmed empty list",
                        (path, honest) -> changed(honest.get(), body -> {
                            ((ArrayNode) body.at("/inputs/0/items")).removeAll();
                            ((ObjectNode) body.at("/inputs/0")).put("count", 0);
                        })));
    }

    private DynamicTest wrong(String what, Behaviour behaviour) {
        return DynamicTest.dynamicTest(what, () -> {
            Gateway gateway = Stack.gateway();
            Map<String, String> before = managed.kube.settledBelongings();
            try {
                gateway.forget();
                gateway.misbehave(behaviour);
                managed.kube.reconcileEverything();
                Set<String> asked = polled(gateway);
                assertThat(asked).as("every type was answered wrongly").hasSizeGreaterThanOrEqualTo(3);
                assertThat(managed.kube.belongings()).isEqualTo(before);
            } finally {
                gateway.behave();
            }
            managed.kube.reconcileEverything();
            // One that was held up may be looked at once more; meanwhile it is neither ready nor otherwise.
            managed.kube.awaitEachReady(Kind.RESOURCE_SET);
            assertThat(managed.kube.belongings()).isEqualTo(before);
        });
    }

    private static Set<String> polled(Gateway gateway) {
        return gateway.seen().stream()
                .filter(Gateway.Exchange::isPoll)
                .map(Gateway.Exchange::path)
                .collect(java.util.stream.Collectors.toSet());
    }

    private static Response manyInputs() {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode inputs = body.putArray("inputs");
        IntStream.rangeClosed(0, FLUX_LIMIT).forEach(i -> inputs.addObject().put("id", "n" + i));
        return Response.json(200, body.toString());
    }

    private Response another(String path) {
        String type = path.substring(path.lastIndexOf('/') + 1);
        if (!Managed.TYPES.contains(type)) {
            return Response.json(404, "{}");
        }
        return Response.json(
                200,
                managed.homeport
                        .get("/api/v2/clusters/another/payload/" + type + "?shape=set&raw=true")
                        .expect(200)
                        .text());
    }

    private static Response changed(Response honest, java.util.function.Consumer<ObjectNode> change) {
        JsonNode body = JSON.readTree(text(honest));
        if (!body.at("/inputs/0/items").isArray()) {
            throw new AssertionError("no answer to change: " + honest.status() + " " + body);
        }
        change.accept((ObjectNode) body);
        return Response.json(200, body.toString());
    }

    private static String text(Response response) {
        boolean zipped = "gzip".equals(response.headers().get("Content-Encoding"));
        try (var in = zipped
                ? new GZIPInputStream(new ByteArrayInputStream(response.body()))
                : new ByteArrayInputStream(response.body())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
