package dev.homeport.server.tracing;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** Takes traces by OTLP and keeps them as text. */
public final class TestCollector implements AutoCloseable {
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    public TestCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            try (InputStream in = exchange.getRequestBody();
                    InputStream body = gzip ? new GZIPInputStream(in) : in) {
                received.add(ExportTraceServiceRequest.parseFrom(body).toString());
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    public String traces() {
        return String.join("\n", received);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
