package dev.homeport.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.homeport.json.StrictJson;
import dev.homeport.server.TestClient;
import dev.homeport.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commits are forwarded once and in order, whatever happens in between; denied attempts and reads as they come. */
class AuditForwardingTest {
    @TempDir
    Path folder;

    private static void await(BooleanSupplier done) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!done.getAsBoolean() && System.nanoTime() < until) {
            Thread.sleep(20);
        }
        assertThat(done.getAsBoolean()).isTrue();
    }

    private static List<JsonNode> lines(Path... files) {
        List<JsonNode> all = new ArrayList<>();
        for (Path file : files) {
            try (Stream<String> lines = Files.lines(file)) {
                lines.filter(line -> line.endsWith("}")) // one may be half written
                        .forEach(line -> all.add(StrictJson.read(line.getBytes(StandardCharsets.UTF_8))));
            } catch (IOException e) {
                return List.of();
            }
        }
        return all;
    }

    private static List<Long> revisions(List<JsonNode> lines) {
        return lines.stream()
                .filter(line -> line.path("kind").asString("").equals("commit"))
                .map(line -> line.path("revision").longValue())
                .toList();
    }

    private static long head(TestServer server) {
        return server.admin()
                .get("/api/v2/changes?page_size=1")
                .expect(200)
                .at("/items/0/revision")
                .longValue();
    }

    private static void namespace(TestServer server, String id) {
        server.admin()
                .post("/api/v2/namespaces", "{\"id\":\"" + id + "\",\"spec\":{}}")
                .expect(201);
    }

    private static void assertWhole(List<JsonNode> lines, long head) {
        List<Long> expected =
                Stream.iterate(1L, one -> one <= head, one -> one + 1).toList();
        assertThat(revisions(lines)).isEqualTo(expected);
    }

    private AdminRun verify(Path... files) {
        List<String> arguments = new ArrayList<>(List.of("audit-verify"));
        for (Path file : files) {
            arguments.add(file.toString());
        }
        arguments.addAll(List.of("--data", folder.resolve("data").toString()));
        return AdminRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void everyCommitIsInTheFileOnceThroughRestartsRotationAndATornLine() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        Path rotated = folder.resolve("audit.jsonl.1");
        TestServer server = TestServer.in(folder, Map.of("--audit-file", file.toString()));
        try {
            namespace(server, "a");
            await(() -> revisions(lines(file)).contains(head(server)));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            Files.move(file, rotated);
            namespace(server, "b");
            await(() -> Files.exists(file) && revisions(lines(file)).contains(head(server)));
            server.stop();
            // As a killed process leaves it: a part of a line, and a position from before the last lines.
            Files.writeString(file, "{\"kind\":\"comm", StandardOpenOption.APPEND);
            Path position = server.data().resolve("audit-file.position");
            JsonNode kept = StrictJson.read(Files.readAllBytes(position));
            assertThat(kept.path("sequence").longValue()).isPositive();
            Files.delete(position);
            server.startAgain();
            namespace(server, "c");
            long head = head(server);
            await(() -> revisions(lines(file)).contains(head));
            assertWhole(lines(rotated, file), head);
        } finally {
            server.close();
        }
        AdminRun good = verify(rotated, file);
        assertThat(good.code()).as(good.err()).isZero();
        assertThat(good.out()).contains("genuine and in order, from sequence 1 to");

        List<String> all = new ArrayList<>(Files.readAllLines(file));
        List<String> changed = new ArrayList<>(all);
        changed.set(0, changed.get(0).replace("person:admin", "person:other"));
        assertBad(changed, "its signature is not one of this master key");
        List<String> missing = new ArrayList<>(Files.readAllLines(rotated));
        missing.remove(1);
        assertBad(missing, "lines are missing");
    }

    private void assertBad(List<String> lines, String why) throws IOException {
        Path bad = Files.write(folder.resolve("bad.jsonl"), lines);
        AdminRun run = verify(bad);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(why);
    }

    @Test
    void deniedAttemptsAndReadsAreForwardedWithWhoAndWhere() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        try (TestServer server =
                TestServer.in(folder, Map.of("--audit-file", file.toString(), "--audit-reads", "true"))) {
            for (String id : List.of("mine", "theirs")) {
                server.admin()
                        .post(
                                "/clusters",
                                "{\"id\":\"" + id + "\",\"cluster_name\":\"" + id + "\",\"cluster_dns\":\"" + id
                                        + ".example.com\",\"environment\":\"dev\"}")
                        .expect(200);
            }
            String cluster = token(server, "{\"kind\":\"cluster\",\"subject\":\"mine\"}");
            String service = token(server, "{\"kind\":\"service\",\"subject\":\"ci\"}");
            server.admin()
                    .post(
                            "/api/v2/access-grants",
                            "{\"id\":\"g\",\"spec\":{\"subject\":\"service:ci\",\"role\":\"viewer\",\"scope\":{\"cluster\":\"mine\"}}}")
                    .expect(201);
            server.poll(cluster)
                    .get("/api/v2/flux/clusters/theirs.example.com/namespaces")
                    .expect(404);
            server.poll(cluster).get("/api/v2/flux/clusters").expect(403);
            server.poll("hpc_nobody").get("/api/v2/flux/clusters").expect(401);
            TestClient ci = server.admin(service);
            ci.get("/api/v2/clusters/theirs").expect(404);
            ci.post("/api/v2/namespaces", "{\"id\":\"x\",\"spec\":{}}").expect(403);
            ci.get("/api/v2/clusters/mine").expect(200);
            await(() -> kinds(file, "read").contains("service:ci GET 200 /api/v2/clusters/mine"));
            assertThat(kinds(file, "denied"))
                    .contains(
                            "cluster:mine GET 404 /api/v2/flux/clusters/theirs.example.com/namespaces",
                            "cluster:mine GET 403 /api/v2/flux/clusters",
                            " GET 401 /api/v2/flux/clusters",
                            "service:ci GET 404 /api/v2/clusters/theirs",
                            "service:ci POST 403 /api/v2/namespaces");
            assertThat(lines(file)).noneMatch(line -> line.toString().contains(service));
            assertThat(server.admin()
                            .get("/api/v2/changes?refused=true")
                            .expect(200)
                            .text())
                    .contains("/api/v2/clusters/theirs")
                    .contains("cluster:mine");
        }
    }

    private static String token(TestServer server, String spec) {
        return server.admin()
                .post("/api/v2/tokens", "{\"spec\":" + spec + "}")
                .expect(201)
                .at("/token")
                .stringValue();
    }

    private static List<String> kinds(Path file, String kind) {
        return lines(file).stream()
                .filter(line -> line.path("kind").asString("").equals(kind))
                .map(line -> line.path("actor").asString("") + " "
                        + line.path("method").asString("GET") + " "
                        + line.path("status").asString("") + " "
                        + line.path("path").asString(""))
                .toList();
    }

    private static String findings(TestServer server) {
        return server.admin()
                .get("/api/v2/findings?kind=audit_not_forwarded")
                .expect(200)
                .text();
    }

    @Test
    void anEndpointThatFailsGetsEveryLineInTheEnd() throws Exception {
        List<String> received = Collections.synchronizedList(new ArrayList<>());
        List<String> secrets = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger failing = new AtomicInteger(2);
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            secrets.add(exchange.getRequestHeaders().getFirst("Authorization"));
            boolean fails = failing.getAndDecrement() > 0;
            if (!fails) {
                received.addAll(body.lines().toList());
            }
            exchange.sendResponseHeaders(fails ? 503 : 204, -1);
            exchange.close();
        });
        endpoint.start();
        Path secret = Files.writeString(folder.resolve("secret"), "s3cret\n");
        TestServer server = TestServer.in(
                folder,
                Map.of(
                        "--audit-url",
                        "http://127.0.0.1:" + endpoint.getAddress().getPort() + "/in",
                        "--audit-token-file",
                        secret.toString()));
        try {
            namespace(server, "a");
            await(() -> failing.get() < 0);
            failing.set(Integer.MAX_VALUE);
            namespace(server, "b");
            await(() -> findings(server).contains("audit lines cannot be forwarded to the url"));
            server.stop();
            failing.set(0);
            server.startAgain();
            namespace(server, "c");
            long head = head(server);
            await(() -> received.stream().anyMatch(line -> line.contains("\"revision\":" + head + ",")));
            assertThat(secrets).containsOnly("Bearer s3cret");
            await(() -> findings(server).contains("\"total\":0"));
        } finally {
            server.close();
            endpoint.stop(0);
        }
        Path file = Files.write(folder.resolve("received"), received);
        assertThat(verify(file).out()).contains("genuine and in order");
        List<Long> revisions = revisions(lines(file));
        assertThat(revisions).doesNotHaveDuplicates().isSorted().startsWith(1L);
        assertThat(revisions.getLast()).isEqualTo((long) revisions.size());
    }
}
