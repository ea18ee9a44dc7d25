package dev.homeport.server.metrics;

import dev.homeport.document.TypeCatalog;
import dev.homeport.fleet.WireShape;
import dev.homeport.server.http.RequestView;
import dev.homeport.server.poll.PollPath;
import dev.homeport.server.poll.PollWatch;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts polls. A poll costs one lookup by its type and a few additions; nothing is registered on the way. */
final class PollMeters implements PollWatch {
    /** Paths can name types that do not exist; they must not become series. */
    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Supplier<TypeCatalog> types;
    private final Timer duration;
    private final DistributionSummary bytes;
    private final ConcurrentHashMap<String, Counters> byType = new ConcurrentHashMap<>();
    private final Counters lists;
    private final Counters others;

    PollMeters(MeterRegistry registry, Supplier<TypeCatalog> types) {
        this.registry = registry;
        this.types = types;
        this.duration = Timer.builder("homeport.poll.duration")
                .description("Time to answer a poll, without the network")
                .serviceLevelObjectives(
                        Duration.ofNanos(50_000),
                        Duration.ofNanos(100_000),
                        Duration.ofNanos(250_000),
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100))
                .register(registry);
        this.bytes = DistributionSummary.builder("homeport.payload")
                .baseUnit("bytes")
                .description("Length of answers with status 200")
                .serviceLevelObjectives(1024, 16_384, 131_072, 409_600, 819_200)
                .register(registry);
        this.lists = new Counters("clusters");
        this.others = new Counters(OTHER);
    }

    /** The outcome of a poll. */
    private enum Outcome {
        OK,
        HOLD,
        DETACHED,
        NOT_FOUND,
        UNAUTHENTICATED,
        LIMITED,
        ERROR;

        static Outcome of(int status) {
            return switch (status) {
                case 200 -> OK;
                case 503 -> HOLD;
                case 410 -> DETACHED;
                case 404 -> NOT_FOUND;
                case 401, 403 -> UNAUTHENTICATED;
                case 429 -> LIMITED;
                default -> ERROR;
            };
        }
    }

    /** The counters of one type. */
    private final class Counters {
        private final Map<Outcome, LongAdder> flat;
        private final Map<Outcome, LongAdder> set;

        Counters(String resource) {
            flat = adders(resource, WireShape.FLAT);
            set = adders(resource, WireShape.SET);
        }

        private Map<Outcome, LongAdder> adders(String resource, WireShape shape) {
            Map<Outcome, LongAdder> adders = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                LongAdder adder = new LongAdder();
                adders.put(outcome, adder);
                FunctionCounter.builder("homeport.polls", adder, LongAdder::sum)
                        .description("Polls answered")
                        .tag("resource", resource)
                        .tag("shape", shape.name().toLowerCase(Locale.ROOT))
                        .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                        .register(registry);
            }
            return adders;
        }

        void count(WireShape shape, Outcome outcome) {
            LongAdder adder = (shape == WireShape.FLAT ? flat : set).get(outcome);
            if (adder != null) {
                adder.increment();
            }
        }
    }

    @Override
    public void polled(RequestView request, PollPath path, int status, int length, long nanos) {
        Outcome outcome = Outcome.of(status);
        switch (path) {
            case PollPath.Clusters _ -> lists.count(WireShape.FLAT, outcome);
            case PollPath.Answers asked -> counters(asked.plural()).count(asked.shape(), outcome);
        }
        duration.record(nanos, TimeUnit.NANOSECONDS);
        if (status == 200) {
            bytes.record(length);
        }
    }

    private Counters counters(String plural) {
        Counters known = byType.get(plural);
        if (known != null) {
            return known;
        }
        return types.get().withPlural(plural).isPresent() ? byType.computeIfAbsent(plural, Counters::new) : others;
    }
}
