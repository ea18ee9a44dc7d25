package dev.homeport.sim;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** HTTP to the server. Flux Operator polls on a new connection each time; controllers that report keep theirs. */
final class Link {
    private static final int MOST_CONNECTIONS = 4096;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int CONNECT_MILLIS = 10_000;

    /** As Go has it. */
    private static final int MOST_REDIRECTS = 10;

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /** Instead of a status: nothing came back, which may be tried again. */
    static final int NO_ANSWER = 0;

    private static final int NOT_TRUSTED = -1;
    private static final int REDIRECTED_TOO_OFTEN = -2;

    private final Vertx vertx;
    private final URI server;
    private final HttpClient client;
    private final String prefix;

    Link(Vertx vertx, URI server, Optional<Path> authority, boolean keepAlive) {
        this.vertx = vertx;
        this.server = server;
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
                // A broken connection is reported to the caller; it needs no line in a log.
                .withConnectHandler(connection -> connection.exceptionHandler(gone -> {}))
                .build();
        String path = server.getPath() == null ? "" : server.getPath();
        this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /**
     * A response.
     *
     * @param status of the response, or of the failure
     * @param revision of the log, -1 when the answer does not say
     */
    record Answer(int status, byte[] body, long revision) {
        static final Answer NONE = without(NO_ANSWER);

        static Answer without(int why) {
            return new Answer(why, new byte[0], -1);
        }

        boolean isSuccess() {
            return status / 100 == 2;
        }
    }

    static String words(int status) {
        return switch (status) {
            case NOT_TRUSTED -> "certificate not trusted";
            case REDIRECTED_TOO_OFTEN -> "redirected too often";
            default -> "no answer";
        };
    }

    /** @param within for all of it, redirects and the last byte of the body included */
    void get(String path, Map<String, String> headers, Duration within, Consumer<Answer> then) {
        send(HttpMethod.GET, path, headers, Optional.empty(), within, then);
    }

    void post(String path, Map<String, String> headers, byte[] body, Duration within, Consumer<Answer> then) {
        send(HttpMethod.POST, path, headers, Optional.of(body), within, then);
    }

    private void send(
            HttpMethod method,
            String path,
            Map<String, String> headers,
            Optional<byte[]> body,
            Duration within,
            Consumer<Answer> then) {
        Once once = new Once(then);
        once.timer = vertx.setTimer(Math.max(1, within.toMillis()), late -> once.giveUp());
        RequestOptions options = new RequestOptions().setMethod(method).setURI(prefix + path);
        headers.forEach(options::putHeader);
        send(options, server.resolve(prefix + path), body, 0, once);
    }

    private void send(RequestOptions options, URI address, Optional<byte[]> body, int hops, Once once) {
        client.request(options.setFollowRedirects(false))
                .compose(request -> {
                    once.request = request;
                    request.exceptionHandler(gone -> once.accept(Answer.NONE));
                    return body.map(bytes -> request.send(Buffer.buffer(bytes))).orElseGet(request::send);
                })
                .onComplete(
                        response -> {
                            String location = response.getHeader("Location");
                            if (location != null && body.isEmpty() && REDIRECTS.contains(response.statusCode())) {
                                follow(options, address, location, hops, once);
                            } else {
                                read(response, once);
                            }
                        },
                        gone -> once.accept(gone instanceof SSLException ? Answer.without(NOT_TRUSTED) : Answer.NONE));
    }

    /** The token is for the host that it was meant for, and for no other. */
    private void follow(RequestOptions options, URI from, String location, int hops, Once once) {
        if (hops >= MOST_REDIRECTS) {
            once.accept(Answer.without(REDIRECTED_TOO_OFTEN));
            return;
        }
        try {
            URI to = from.resolve(location);
            RequestOptions next =
                    new RequestOptions().setMethod(options.getMethod()).setAbsoluteURI(to.toURL());
            MultiMap headers = options.getHeaders();
            headers.forEach(header -> {
                if (!header.getKey().equals("Authorization") || Objects.equals(from.getHost(), to.getHost())) {
                    next.putHeader(header.getKey(), header.getValue());
                }
            });
            send(next, to, Optional.empty(), hops + 1, once);
        } catch (IllegalArgumentException | MalformedURLException e) {
            once.accept(Answer.without(REDIRECTED_TOO_OFTEN));
        }
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
    private final class Once implements Consumer<Answer> {
        private final Consumer<Answer> then;
        private @Nullable HttpClientRequest request;
        private long timer;
        private boolean done;

        Once(Consumer<Answer> then) {
            this.then = then;
        }

        void giveUp() {
            HttpClientRequest late = request;
            accept(Answer.NONE);
            if (late != null) {
                late.reset();
            }
        }

        @Override
        public void accept(Answer answer) {
            if (!done) {
                done = true;
                vertx.cancelTimer(timer);
                then.accept(answer);
            }
        }
    }
}
