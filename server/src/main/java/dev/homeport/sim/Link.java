package dev.homeport.sim;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** HTTP to the server. Flux Operator polls on a new connection each time; controllers that report keep theirs. */
final class Link {
    private static final int MOST_CONNECTIONS = 4096;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int CONNECT_MILLIS = 10_000;

    /** As generated manifests say. */
    private static final int TIMEOUT_MILLIS = 30_000;

    private final HttpClient client;
    private final String prefix;

    Link(Vertx vertx, URI server, Optional<Path> authority, boolean keepAlive) {
        boolean tls = "https".equals(server.getScheme());
        HttpClientOptions options = new HttpClientOptions()
                .setDefaultHost(server.getHost())
                .setDefaultPort(server.getPort() >= 0 ? server.getPort() : tls ? HTTPS : HTTP)
                .setSsl(tls)
                .setKeepAlive(keepAlive)
                .setConnectTimeout(CONNECT_MILLIS)
                .setDecompressionSupported(true);
        authority.ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        this.client = vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS))
                // A connection that breaks is told to whoever asked; it needs no line in a log.
                .withConnectHandler(connection -> connection.exceptionHandler(gone -> {}))
                .build();
        String path = server.getPath() == null ? "" : server.getPath();
        this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /**
     * What came back.
     *
     * @param status 0: nothing did
     * @param revision of the log, -1 when the answer does not say
     */
    record Answer(int status, byte[] body, long revision) {
        static final Answer NONE = new Answer(0, new byte[0], -1);

        boolean isSuccess() {
            return status / 100 == 2;
        }
    }

    void get(String path, Map<String, String> headers, Consumer<Answer> then) {
        send(HttpMethod.GET, path, headers, Optional.empty(), then);
    }

    void post(String path, Map<String, String> headers, byte[] body, Consumer<Answer> then) {
        send(HttpMethod.POST, path, headers, Optional.of(body), then);
    }

    private void send(
            HttpMethod method, String path, Map<String, String> headers, Optional<byte[]> body, Consumer<Answer> then) {
        Once once = new Once(then);
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setURI(prefix + path)
                .setFollowRedirects(false)
                .setIdleTimeout(TIMEOUT_MILLIS);
        headers.forEach(options::putHeader);
        client.request(options)
                .compose(request -> {
                    request.exceptionHandler(gone -> once.accept(Answer.NONE));
                    return body.map(bytes -> request.send(Buffer.buffer(bytes))).orElseGet(request::send);
                })
                .onComplete(response -> read(response, once), gone -> once.accept(Answer.NONE));
    }

    /** A body that is too large is not read to its end. */
    private static void read(HttpClientResponse response, Once once) {
        Buffer read = Buffer.buffer();
        String revision = response.getHeader("Homeport-Revision");
        long number = revision != null && revision.matches("[0-9]{1,18}") ? Long.parseLong(revision) : -1;
        response.exceptionHandler(gone -> once.accept(Answer.NONE));
        response.handler(part -> {
            read.appendBuffer(part);
            if (read.length() > FluxBody.MOST_BYTES) {
                once.accept(new Answer(response.statusCode(), read.getBytes(), number));
                response.request().reset();
            }
        });
        response.endHandler(end -> once.accept(new Answer(response.statusCode(), read.getBytes(), number)));
    }

    /** A connection that breaks says so in several ways. */
    private static final class Once implements Consumer<Answer> {
        private final Consumer<Answer> then;
        private boolean done;

        Once(Consumer<Answer> then) {
            this.then = then;
        }

        @Override
        public void accept(Answer answer) {
            if (!done) {
                done = true;
                then.accept(answer);
            }
        }
    }
}
