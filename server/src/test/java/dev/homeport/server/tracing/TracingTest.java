package dev.homeport.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.homeport.server.TestServer;
import dev.homeport.testing.OutsideIn;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces as a collector gets them. */
@OutsideIn
class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    @TempDir
    Path folder;

    private final Queue<Span> spans = new ConcurrentLinkedQueue<>();
    private final Queue<String> raw = new ConcurrentLinkedQueue<>();
    private HttpServer collector;

    @BeforeEach
    void collect() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            try (InputStream in = exchange.getRequestBody();
                    InputStream body = gzip ? new GZIPInputStream(in) : in) {
                ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(body);
                raw.add(request.toString());
                request.getResourceSpansList()
                        .forEach(resource ->
                                resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList())));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private TestServer server(String... more) {
        Map<String, String> flags = new java.util.HashMap<>();
        flags.put(
                "--traces-endpoint",
                "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces");
        for (int i = 0; i < more.length; i += 2) {
            flags.put(more[i], more[i + 1]);
        }
        return TestServer.in(folder, flags);
    }

    private Span await(Predicate<Span> wanted) throws InterruptedException {
        for (int tries = 0; tries < 600; tries++) {
            for (Span span : spans) {
                if (wanted.test(span)) {
                    return span;
                }
            }
            Thread.sleep(100);
        }
        throw new AssertionError(
                "no such span among " + spans.stream().map(Span::getName).toList());
    }

    private static String hex(com.google.protobuf.ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static String attribute(Span span, String name) {
        for (KeyValue one : span.getAttributesList()) {
            if (one.getKey().equals(name)) {
                return one.getValue().hasIntValue()
                        ? Long.toString(one.getValue().getIntValue())
                        : one.getValue().getStringValue();
            }
        }
        return "";
    }

    private static void cluster(TestServer server) {
        server.admin()
                .post(
                        "/clusters",
                        "{\"id\": \"mine\", \"cluster_name\": \"mine\", \"cluster_dns\": \"mine.example.com\","
                                + " \"environment\": \"dev\"}")
                .expect(200);
    }

    @Test
    void aWriteIsSeenWithItsPlanAndItsAppendInTheCallersTrace() throws Exception {
        try (TestServer server = server()) {
            server.admin()
                    .send(
                            "POST",
                            "/namespaces",
                            "{\"id\": \"traced\"}",
                            Map.of("traceparent", "00-" + TRACE + "-" + PARENT + "-01"))
                    .expect(200);
            Span request = await(span -> hex(span.getParentSpanId()).equals(PARENT));
            assertThat(hex(request.getTraceId())).isEqualTo(TRACE);
            assertThat(request.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
            assertThat(attribute(request, "http.request.method")).isEqualTo("POST");
            assertThat(attribute(request, "http.response.status_code")).isEqualTo("200");
            assertThat(attribute(request, "homeport.actor")).isEqualTo("person:admin");
            for (String part : List.of("plan", "append")) {
                Span inner = await(span ->
                        span.getName().equals(part) && span.getParentSpanId().equals(request.getSpanId()));
                assertThat(hex(inner.getTraceId())).isEqualTo(TRACE);
                assertThat(inner.getStartTimeUnixNano()).isLessThanOrEqualTo(inner.getEndTimeUnixNano());
            }
        }
    }

    @Test
    void pollsAreSeen() throws Exception {
        try (TestServer server = server()) {
            cluster(server);
            String path = "/api/v2/flux/clusters/mine.example.com/";
            server.poll(server.adminToken())
                    .send("GET", path + "namespaces", "", Map.of("traceparent", "00-" + TRACE + "-" + PARENT + "-01"))
                    .expect(200);
            Span poll = await(span -> hex(span.getParentSpanId()).equals(PARENT));
            assertThat(hex(poll.getTraceId())).isEqualTo(TRACE);
            assertThat(poll.getName()).isEqualTo("GET /api/v2/flux/clusters/{dns}/{type}");
            assertThat(attribute(poll, "http.response.status_code")).isEqualTo("200");
            assertThat(attribute(poll, "homeport.cluster_dns")).isEqualTo("mine.example.com");
            server.poll(server.adminToken()).get(path + "sets/namespaces").expect(200);
            await(span -> span.getName().endsWith("/sets/{type}"));
        }
    }

    /** Also when the caller puts it where it does not belong. */
    @Test
    void noSecretIsInASpan() throws Exception {
        String secret = "hpc_tcanary_" + "Q".repeat(49);
        try (TestServer server = server()) {
            server.poll(secret)
                    .get("/api/v2/flux/clusters/" + secret + "/" + secret)
                    .expect(401);
            server.poll(server.adminToken())
                    .get("/api/v2/flux/clusters/" + secret + "/namespaces?token=" + secret)
                    .expect(404);
            server.admin(secret).get("/api/v2/clusters/" + secret).expect(401);
            server.admin().get("/api/v2/clusters/" + secret + "?x=" + secret);
            server.admin().get("/nowhere/" + secret).expect(404);
            for (String hostile :
                    List.of("", "00-0-0-0", "ff-" + TRACE + "-" + PARENT + "-01", secret, "00-" + TRACE)) {
                server.admin()
                        .send("GET", "/api/v2/environments", "", Map.of("traceparent", hostile, "tracestate", secret))
                        .expect(200);
            }
            await(span -> attribute(span, "http.response.status_code").equals("401"));
            await(span -> attribute(span, "http.route").equals("none"));
        }
        String sent = String.join("\n", raw);
        assertThat(sent).contains("homeport").doesNotContain("QQQQQQQQ").doesNotContain("hpp_");
    }

    @Test
    void aCollectorThatIsAwayCostsNothing() throws Exception {
        collector.stop(0);
        try (TestServer server = server()) {
            cluster(server);
            for (int i = 0; i < 50; i++) {
                server.poll(server.adminToken())
                        .get("/api/v2/flux/clusters/mine.example.com/namespaces")
                        .expect(200);
            }
        }
    }

    @Test
    void aShareOfNoneIsNone() throws Exception {
        try (TestServer server = server("--traces-share", "0")) {
            cluster(server);
            server.admin()
                    .send(
                            "GET",
                            "/api/v2/environments",
                            "",
                            Map.of("traceparent", "00-" + TRACE + "-" + PARENT + "-01"))
                    .expect(200);
            await(span -> hex(span.getTraceId()).equals(TRACE));
        }
        assertThat(spans).allMatch(span -> hex(span.getTraceId()).equals(TRACE));
    }
}
