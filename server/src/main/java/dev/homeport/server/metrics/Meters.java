package dev.homeport.server.metrics;

import dev.homeport.fleet.AnswerCache;
import dev.homeport.server.audit.AuditForwarder;
import dev.homeport.server.events.EventOutcome;
import dev.homeport.server.http.Answered;
import dev.homeport.server.http.ByteBudget;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.Reply;
import dev.homeport.server.http.Route;
import dev.homeport.server.liveness.LoopHealth;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.poll.PollWatch;
import dev.homeport.server.state.StateBoard;
import dev.homeport.server.tls.Certificates;
import dev.homeport.server.tls.HandshakeFailures;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** All that is measured, and the page that shows it. */
public final class Meters {
    private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LogFollower follower;
    private final PollMeters polls;
    private final FleetMeters fleet;
    private final Timer plans;
    private final StreamCounts streams = new StreamCounts();
    private final ConcurrentHashMap<Asked, Timer> requests = new ConcurrentHashMap<>();

    private record Asked(String route, int status) {}

    public Meters(
            LogFollower follower, AnswerCache cache, StateBoard board, PollKeeper keeper, IntSupplier heldExpiries) {
        this.follower = follower;
        this.polls = new PollMeters(registry, () -> follower.live().current().types());
        this.fleet = new FleetMeters(registry, board);
        ClusterTimes.measure(registry, board, keeper);
        this.plans = timer("homeport.plan.duration", "Time to plan a change over all clusters")
                .register(registry);
        long first = follower.live().current().revision();
        Gauge.builder("homeport.revision", () -> follower.live().current().revision())
                .description("Revision of the snapshot that is served")
                .register(registry);
        FunctionCounter.builder(
                        "homeport.commits", follower, f -> f.live().current().revision() - first)
                .description("Commits that this server has seen")
                .register(registry);
        Gauge.builder("homeport.follower.age", this::age)
                .baseUnit("seconds")
                .description("Time since the snapshot was known to be the end of the log")
                .register(registry);
        Gauge.builder("homeport.quarantined", () -> follower.state() instanceof FollowerState.Quarantined ? 1 : 0)
                .description("1 when nothing is served because the log contradicts what was seen before")
                .register(registry);
        Gauge.builder("homeport.expiries.held", heldExpiries::getAsInt)
                .description("Documents whose expiry waits for a confirmation")
                .register(registry);
        Gauge.builder("homeport.answer.cache", cache::weight)
                .baseUnit("bytes")
                .description("Weight of the rendered answers kept")
                .register(registry);
        Gauge.builder("homeport.stream.clients", () -> streams.open().get())
                .description("Open streams of changes")
                .register(registry);
        FunctionCounter.builder("homeport.stream.log.reads", streams.logReads(), AtomicLong::get)
                .description("Commits that a stream read from the log, because they were no longer in memory")
                .register(registry);
        String version = Meters.class.getPackage().getImplementationVersion();
        Gauge.builder("homeport.build.info", () -> 1)
                .tag("version", version == null ? "unpackaged" : version)
                .tag("java", Runtime.version().toString())
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Tells of what is forwarded of the audit, and of what is not. */
    public void audit(List<AuditForwarder> forwarders, LongSupplier unkept) {
        FunctionCounter.builder("homeport.audit.denied.unkept", unkept, LongSupplier::getAsLong)
                .description("Denied attempts that were not kept, because there were too many")
                .register(registry);
        for (AuditForwarder one : forwarders) {
            FunctionCounter.builder("homeport.audit.lines", one, AuditForwarder::sent)
                    .description("Audit lines that were forwarded")
                    .tag("sink", one.name())
                    .register(registry);
            FunctionCounter.builder("homeport.audit.dropped", one, AuditForwarder::dropped)
                    .description("Denied attempts and reads that were not forwarded, because too many were waiting")
                    .tag("sink", one.name())
                    .register(registry);
            FunctionCounter.builder("homeport.audit.failures", one, AuditForwarder::failures)
                    .description("Failed attempts to forward audit lines")
                    .tag("sink", one.name())
                    .register(registry);
        }
    }

    /** Tells of polls that were refused in quarantine. */
    public void quarantine(LongSupplier refused) {
        FunctionCounter.builder("homeport.polls.refused.in.quarantine", refused, LongSupplier::getAsLong)
                .description("Polls that were answered 503 because the store is in quarantine")
                .register(registry);
    }

    /** Tells of a loop. */
    public void loop(LoopHealth loop) {
        Gauge.builder("homeport.loop.age", () -> loop.age().toNanos() / 1e9)
                .baseUnit("seconds")
                .description("Time since a loop turned last")
                .tag("loop", loop.name())
                .register(registry);
        FunctionCounter.builder("homeport.loop.failures", loop, LoopHealth::failures)
                .description("Failures that a loop has survived")
                .tag("loop", loop.name())
                .register(registry);
    }

    /** Tells of open connections and of what is refused because there are too many. */
    public void connections(ConnectionLimits limits) {
        for (ConnectionLimits.Plane plane : limits.planes()) {
            Gauge.builder("homeport.connections", plane::open)
                    .description("Open connections")
                    .tag("plane", plane.name())
                    .register(registry);
            Gauge.builder("homeport.connections.limit", plane::limit)
                    .description("Open connections that are allowed")
                    .tag("plane", plane.name())
                    .register(registry);
            FunctionCounter.builder("homeport.connections.evicted", plane, ConnectionLimits.Plane::evicted)
                    .description("Idle connections that were closed to make room for new ones")
                    .tag("plane", plane.name())
                    .register(registry);
            for (ConnectionLimits.Reason reason : ConnectionLimits.Reason.values()) {
                FunctionCounter.builder("homeport.connections.refused", plane, one -> one.refused(reason))
                        .description("Connections that were closed at once because a limit was reached")
                        .tag("plane", plane.name())
                        .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
        }
        Map.of("requests", limits.bytes(), "answers", limits.answers()).forEach((kind, budget) -> {
            Gauge.builder("homeport.bytes.in.flight", budget::used)
                    .description("Memory of requests that are being received, and of answers that are being sent")
                    .tag("kind", kind)
                    .register(registry);
            Gauge.builder("homeport.bytes.in.flight.limit", budget::limit)
                    .description("Memory that they may use")
                    .tag("kind", kind)
                    .register(registry);
            FunctionCounter.builder("homeport.bytes.refused", budget, ByteBudget::refused)
                    .description("Requests and answers that were refused because that memory was used up")
                    .tag("kind", kind)
                    .register(registry);
        });
    }

    /** Tells of the certificate that is served. */
    public void tls(Certificates certificates, HandshakeFailures failures) {
        Gauge.builder("homeport.tls.info", () -> 1)
                .description("Who does the cryptography")
                .tag("engine", certificates.engine().name().toLowerCase(Locale.ROOT))
                .tag("version", certificates.engine().version())
                .register(registry);
        Gauge.builder(
                        "homeport.tls.certificate.expiry",
                        () -> certificates.notAfter().getEpochSecond())
                .baseUnit("seconds")
                .description("When the served certificate expires, in seconds since 1970")
                .register(registry);
        Gauge.builder(
                        "homeport.tls.reload.failing",
                        () -> certificates.trouble().isPresent() ? 1 : 0)
                .description("1 when the certificate's files cannot be used and what they held before is served")
                .register(registry);
        FunctionCounter.builder("homeport.tls.reloads", certificates, Certificates::reloads)
                .description("How often a new certificate was taken")
                .register(registry);
        FunctionCounter.builder("homeport.tls.handshake.failures", failures, HandshakeFailures::count)
                .description("Connections that failed before their first request")
                .register(registry);
    }

    private double age() {
        return follower.age().map(age -> age.toNanos() / 1e9).orElse(Double.POSITIVE_INFINITY);
    }

    /** Counts what becomes of events. */
    public EventOutcome.Watch events() {
        Map<EventOutcome, Counter> counters = new EnumMap<>(EventOutcome.class);
        for (EventOutcome outcome : EventOutcome.values()) {
            counters.put(
                    outcome,
                    Counter.builder("homeport.events")
                            .description("Events that clusters posted")
                            .tag("outcome", outcome.word())
                            .register(registry));
        }
        return outcome -> Objects.requireNonNull(counters.get(outcome)).increment();
    }

    public PollWatch polls() {
        return polls;
    }

    public void planned(Duration took) {
        plans.record(took);
    }

    public StreamCounts streams() {
        return streams;
    }

    public void answered(Answered answered) {
        requests.computeIfAbsent(new Asked(answered.route(), answered.status()), this::timer)
                .record(answered.nanos(), TimeUnit.NANOSECONDS);
    }

    private Timer timer(Asked asked) {
        return timer("homeport.admin.request.duration", "Time to answer a request on the admin plane")
                .tag("route", asked.route())
                .tag("status", Integer.toString(asked.status()))
                .register(registry);
    }

    private static Timer.Builder timer(String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10));
    }

    public Route route() {
        return new Route("GET", "/metrics", "metrics", "Metrics for Prometheus", Route.Needs.WHOLE_FLEET, call -> {
            fleet.count(follower.live().current());
            return Reply.text(200, FORMAT, registry.scrape());
        });
    }
}
