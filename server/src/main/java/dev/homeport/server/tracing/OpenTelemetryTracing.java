package dev.homeport.server.tracing;

import dev.homeport.fleet.WireShape;
import dev.homeport.server.http.Answered;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.poll.PollPath;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Spans of polls, requests, plans and appends, sent by OTLP over HTTP. Attributes are routes, statuses, the caller's name and
 * the id of a cluster that exists: nothing else that a caller wrote, since that may contain a secret.
 */
public final class OpenTelemetryTracing implements Tracing {
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ACTOR = AttributeKey.stringKey("homeport.actor");
    private static final AttributeKey<String> CLUSTER = AttributeKey.stringKey("homeport.cluster_dns");
    private static final TextMapGetter<RequestView> HEADERS = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(RequestView request) {
            return W3CTraceContextPropagator.getInstance().fields();
        }

        @Override
        public @Nullable String get(@Nullable RequestView request, String name) {
            return request == null ? null : request.header(name);
        }
    };

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final InstantSource clock;

    /**
     * @param endpoint where spans go, with its path
     * @param share the sampled share of traces that begin here, from 0 to 1
     */
    public OpenTelemetryTracing(URI endpoint, double share, InstantSource clock) {
        this.clock = clock;
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault()
                        .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "homeport"))))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share)))
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(endpoint.toString())
                                .setTimeout(Duration.ofSeconds(5))
                                .build())
                        .setScheduleDelay(Duration.ofSeconds(1))
                        .build())
                .build();
        this.tracer = provider.get("dev.homeport");
    }

    private SpanBuilder server(RequestView request, String name, String method, Instant begun) {
        Context parent = W3CTraceContextPropagator.getInstance().extract(Context.root(), request, HEADERS);
        return tracer.spanBuilder(name)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(begun)
                .setAttribute(METHOD, method);
    }

    @Override
    public void polled(RequestView request, PollPath path, int status, long nanos) {
        Instant ended = clock.instant();
        String route = switch (path) {
            case PollPath.Clusters _ -> PollPath.PREFIX;
            case PollPath.Answers asked ->
                PollPath.PREFIX + (asked.shape() == WireShape.SET ? "/{dns}/sets/{type}" : "/{dns}/{type}");
        };
        SpanBuilder builder = server(request, "GET " + route, "GET", ended.minusNanos(nanos))
                .setAttribute(ROUTE, route)
                .setAttribute(STATUS, (long) status);
        if (path instanceof PollPath.Answers asked && status == 200) {
            builder.setAttribute(CLUSTER, asked.dns());
        }
        Span span = builder.startSpan();
        mark(span, status);
        span.end(ended);
    }

    @Override
    public Request begun(RequestView request, String method) {
        Span span = server(request, "request", method, clock.instant()).startSpan();
        Context context = Context.root().with(span);
        return new Request() {
            @Override
            @SuppressWarnings("MustBeClosedChecker") // closed with what is returned
            public Part enter() {
                Scope scope = context.makeCurrent();
                MDC.put("trace", span.getSpanContext().getTraceId());
                return () -> {
                    MDC.remove("trace");
                    scope.close();
                };
            }

            @Override
            public void answered(String route, int status, String actor) {
                span.updateName(route.equals(Answered.NO_ROUTE) ? "request" : route);
                span.setAttribute(ROUTE, route).setAttribute(STATUS, (long) status);
                if (!actor.isEmpty()) {
                    span.setAttribute(ACTOR, actor);
                }
                mark(span, status);
                span.end();
            }
        };
    }

    /** A refusal is the caller's affair; only our own failures are errors of the server's. */
    private static void mark(Span span, int status) {
        if (status >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
    }

    @Override
    public void planned(Duration took) {
        Instant ended = clock.instant();
        tracer.spanBuilder("plan")
                .setStartTimestamp(ended.minus(took))
                .startSpan()
                .end(ended);
    }

    @Override
    public Part appending() {
        Span span = tracer.spanBuilder("append").startSpan();
        return span::end;
    }

    @Override
    public void close() {
        provider.shutdown().join(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
    }
}
