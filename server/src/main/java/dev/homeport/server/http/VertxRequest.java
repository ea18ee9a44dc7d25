package dev.homeport.server.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A request of a Vert.x server. */
public record VertxRequest(HttpServerRequest request) implements RequestView {
    @Override
    public String method() {
        return request.method().name();
    }

    @Override
    public @Nullable String path() {
        return request.path();
    }

    @Override
    public @Nullable String query() {
        return request.query();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public List<String> headers(String name) {
        return request.headers().getAll(name);
    }

    @Override
    public String peer() {
        return text(request.connection().remoteAddress(true));
    }

    @Override
    public String proxied() {
        return text(request.remoteAddress());
    }

    @Override
    public @Nullable SSLSession session() {
        return request.connection().sslSession();
    }

    private static String text(@Nullable SocketAddress address) {
        String text = address == null ? null : address.hostAddress();
        return text == null ? "" : text;
    }
}
