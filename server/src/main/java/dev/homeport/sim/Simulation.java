package dev.homeport.sim;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A simulated fleet. Each cluster has a root provider and one for each type in its answer, keeps the inventory that Flux
 * would keep, and records what is removed from it. One thread does all of it.
 */
public final class Simulation implements AutoCloseable {
    private static final String COMPONENTS = "platform-components";
    private static final long TICK_MILLIS = 5;
    private static final int AT_ONCE = 512;
    private static final Duration STOP = Duration.ofSeconds(10);

    /** Seconds between the tries of one poll when nothing answers; then it has failed. */
    private static final double[] RETRIES = {1, 2, 4, 8};

    /** For a whole poll with its tries, as generated manifests say. */
    private static final Duration POLL = Duration.ofSeconds(30);

    /** More or less, that the first answer tells a cluster of. */
    private static final int TYPES = 4;

    private static final List<String> FLAT = List.of("namespaces", COMPONENTS, "rolebindings");
    private static final double FIRST_BACK_OFF = 1.5;
    private static final int MOST_DOUBLINGS = 20;

    /** For so long notification-controller swallows what it has just said. */
    private static final Duration SAID = Duration.ofMinutes(5);

    private final Settings settings;
    private final Vertx vertx;
    private final Context context;
    private final Link link;
    private final Schedule schedule = new Schedule();
    private final Mailbox mailbox;
    private final Random random;
    private final Map<String, SimCluster> clusters = new LinkedHashMap<>();
    private final Shared<SimItem> items = new Shared<>();
    private final Shared<Map<String, SimItem>> inventories = new Shared<>();
    private final List<Deletion> deletions = new ArrayList<>();
    private final Map<String, Long> saidAt = new HashMap<>();
    private final Witnesses witnesses = new Witnesses(this::post);
    private final long begun = System.nanoTime();
    private boolean stopping;
    private long stopped;
    private int underWay;
    private int providers;
    private int untold;

    private final Timeline.Counting timeline = new Timeline.Counting();
    private final Latencies latencies = new Latencies();
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private final Map<String, Long> held = new TreeMap<>();
    private long polls;
    private long measured;
    private long older;
    private long unmarked;
    private long added;
    private long changed;
    private long kept;
    private long lag;

    private Simulation(Settings settings, Collection<Identity> identities, long seed) {
        this.settings = settings;
        this.random = new Random(seed);
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(2)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        this.context = vertx.getOrCreateContext();
        this.link = new Link(vertx, settings.server(), settings.authority(), false);
        this.mailbox = new Mailbox(new Link(vertx, settings.server(), settings.authority(), true), schedule);
        // Later than in any run before this one.
        long resourceVersion = System.currentTimeMillis();
        identities.forEach(identity -> clusters.put(identity.id(), new SimCluster(identity, resourceVersion)));
    }

    /** Clusters begin one after the other within the first interval. */
    public static Simulation start(Settings settings, Collection<Identity> identities, long seed) {
        Simulation simulation = new Simulation(settings, identities, seed);
        simulation.context.runOnContext(nothing -> simulation.begin());
        return simulation;
    }

    private void begin() {
        List<SimCluster> polling = clusters.values().stream()
                .filter(cluster ->
                        !settings.silent().contains(cluster.identity().id()))
                .toList();
        List<String> first = settings.shape() == Settings.Shape.FLAT ? FLAT : List.of(SetInput.TYPES);
        untold = settings.shape() == Settings.Shape.FLAT ? 0 : polling.size();
        providers = polling.size() * first.size();
        double span = interval();
        long from = System.nanoTime();
        for (int i = 0; i < polling.size(); i++) {
            long due = from + Schedule.nanos(WarmUp.begins(span * i / polling.size(), warmUp()));
            for (String plural : first) {
                add(polling.get(i), plural, due);
            }
        }
        vertx.setPeriodic(TICK_MILLIS, tick -> work());
    }

    private void work() {
        while (!stopping && underWay < AT_ONCE && schedule.doNext()) {
            // one after the other
        }
    }

    private void add(SimCluster cluster, String plural, long due) {
        Provider provider = new Provider(cluster, plural, settings.shape());
        cluster.providers().put(plural, provider);
        pollAt(provider, due);
    }

    private void pollAt(Provider provider, long due) {
        schedule.at(due, () -> {
            lag = isWarm(due) ? Math.max(lag, System.nanoTime() - due) : lag;
            poll(provider, 0, System.nanoTime() + POLL.toNanos());
        });
    }

    private double warmUp() {
        return settings.warmUp().toNanos() / 1e9;
    }

    private boolean isWarm(long nanos) {
        return nanos - begun >= settings.warmUp().toNanos();
    }

    private double interval() {
        return switch (settings.pace()) {
            case Settings.Pace.Every every -> every.interval().toNanos() / 1e9;
            case Settings.Pace.Rate rate -> (providers + TYPES * untold) / rate.pollsPerSecond();
        };
    }

    private void poll(Provider provider, int tries, long deadline) {
        underWay++;
        polls++;
        long sent = System.nanoTime();
        measured += isWarm(sent) ? 1 : 0;
        Map<String, String> headers = Map.of(
                "Accept",
                "application/json",
                "Authorization",
                "Bearer " + provider.cluster.identity().token(),
                "User-Agent",
                "flux-operator/v0.58.1");
        link.get(provider.path, headers, Duration.ofNanos(deadline - sent), answer -> {
            underWay--;
            statuses.merge(answer.status(), 1L, Long::sum);
            long ended = System.nanoTime();
            if (answer.isSuccess()) {
                timeline.answered(sent);
            } else {
                timeline.failed(sent, ended);
            }
            if (isWarm(sent)) {
                latencies.add(ended - sent);
            }
            boolean again = answer.status() == Link.NO_ANSWER
                    && tries < RETRIES.length
                    && ended + Schedule.nanos(RETRIES[tries]) < deadline;
            if (again) {
                schedule.in(RETRIES[tries], () -> poll(provider, tries + 1, deadline));
            } else {
                ended(provider, answer);
            }
        });
    }

    private void ended(Provider provider, Link.Answer answer) {
        Optional<String> fault = answer.isSuccess() ? read(provider, answer) : Optional.of(failure(answer));
        if (fault.isEmpty()) {
            provider.failures = 0;
            pollAt(provider, System.nanoTime() + Schedule.nanos(interval()));
            return;
        }
        provider.failures++;
        double wait = FIRST_BACK_OFF * Math.pow(2, Math.min(provider.failures - 1, MOST_DOUBLINGS));
        pollAt(
                provider,
                System.nanoTime()
                        + Schedule.nanos(Math.min(wait, settings.maxRetryDelay().toMillis() / 1e3)));
        say(provider, provider.cluster.events().pollFailed(provider.plural, fault.get()), fault.get());
    }

    private static String failure(Link.Answer answer) {
        return answer.status() > 0
                ? "external service returned HTTP " + answer.status()
                : "failed to call external service: " + Link.words(answer.status());
    }

    /** Sends an event that is repeated only after a while. */
    private void say(Provider provider, byte[] event, String message) {
        String key = provider.cluster.identity().id() + " " + provider.plural + " " + message;
        long now = System.nanoTime();
        Long last = saidAt.get(key);
        if (last == null || now - last > SAID.toNanos()) {
            saidAt.put(key, now);
            post(provider.cluster, event);
        }
    }

    private void post(SimCluster cluster, byte[] event) {
        mailbox.post(cluster.identity(), cluster.events(), event);
    }

    /** The fault of the answer, if any; then everything stays as it is. */
    private Optional<String> read(Provider provider, Link.Answer answer) {
        older += answer.revision() >= 0 && answer.revision() < provider.revision() ? 1 : 0;
        unmarked += answer.revision() < 0 ? 1 : 0;
        if (provider.isOld(answer.body())) {
            provider.confirmed(answer.revision());
            beat(provider);
            return Optional.empty();
        }
        return switch (FluxBody.read(answer.body(), settings.limit())) {
            case FluxBody.Fault fault -> {
                faults.merge(fault.why(), 1L, Long::sum);
                yield Optional.of(fault.why());
            }
            case FluxBody.Inputs inputs -> {
                build(provider, inputs, answer);
                yield Optional.empty();
            }
        };
    }

    private void build(Provider provider, FluxBody.Inputs inputs, Link.Answer answer) {
        String cluster = provider.cluster.identity().id();
        SetInput input = switch (settings.shape()) {
            case SETS -> SetInput.of(inputs.inputs(), cluster, provider.plural, settings.ailment());
            case FLAT -> SetInput.flat(inputs.inputs(), cluster, provider.plural, settings.ailment());
        };
        switch (input) {
            case SetInput.Waiting _ -> held.merge("not exactly one input", 1L, Long::sum);
            case SetInput.Failed failed -> {
                held.merge(failed.why(), 1L, Long::sum);
                provider.buildFailed = true;
                witnesses.look(provider.cluster);
                say(provider, provider.cluster.events().buildFailed(provider.plural, failed.why()), failed.why());
            }
            case SetInput.Rendered rendered -> {
                rendered.items().replaceAll((id, item) -> items.one(item));
                long from = provider.revision();
                untold -= provider.plural.equals(SetInput.TYPES) && !provider.isTold() ? 1 : 0;
                provider.buildFailed = false;
                Provider.Difference difference =
                        provider.apply(rendered, answer.body(), answer.revision(), inventories);
                if (provider.plural.equals(WitnessSet.PLURAL)) {
                    // These sets own nothing, and come and go with what they are asked.
                    later(() -> {
                        // An answer that came meanwhile has the newer questions.
                        if (provider.digest().equals(rendered.digest())) {
                            witnesses.told(provider.cluster, inputs.inputs());
                        }
                    });
                } else {
                    applied(provider, difference, from, answer.revision());
                }
            }
        }
    }

    private void applied(Provider provider, Provider.Difference difference, long from, long to) {
        SimCluster cluster = provider.cluster;
        if (provider.plural.equals(SetInput.TYPES)) {
            // Whatever is no longer named keeps its provider, because that is never pruned.
            difference.added().stream()
                    .filter(type -> !cluster.providers().containsKey(type.id()))
                    .forEach(type -> {
                        providers++;
                        add(cluster, type.id(), System.nanoTime());
                    });
            return;
        }
        added += difference.added().size();
        changed += difference.changed().size();
        for (SimItem item : difference.gone()) {
            kept += item.kept() ? 1 : 0;
            if (item.kept()) {
                provider.kept.put(item.id(), item);
            }
            deletions.add(new Deletion(cluster.identity().id(), provider.plural, item.id(), item.kept(), from, to));
        }
        difference.added().forEach(item -> provider.kept.remove(item.id()));
        if (provider.plural.equals(COMPONENTS)) {
            Stream.concat(difference.added().stream(), difference.changed().stream())
                    .forEach(item -> cluster.witnesses.atWork.add(item.id()));
            difference.added().forEach(item -> cluster.witnesses.left.remove(item.id()));
            difference.gone().forEach(item -> cluster.witnesses.left.put(item.id(), item));
            difference.added().forEach(item -> later(() -> cameUp(provider, item, true)));
            difference.changed().forEach(item -> later(() -> cameUp(provider, item, false)));
            difference.gone().forEach(item -> later(() -> wentAway(provider, item)));
        } else {
            later(() -> {
                post(cluster, cluster.events().applied(provider.plural));
                witnesses.look(cluster);
            });
        }
    }

    private void later(Runnable work) {
        schedule.in(random.nextDouble() * settings.applying().toMillis() / 1e3, work);
    }

    private void cameUp(Provider provider, SimItem item, boolean isNew) {
        // What was replaced meanwhile has nothing more to say.
        if (!item.equals(provider.inventory().get(item.id()))) {
            return;
        }
        FluxEvents events = provider.cluster.events();
        FluxEvents.Source source = new FluxEvents.Source(item, provider.digest());
        // What is broken stays so until it is healed, whatever changes meanwhile.
        Optional<String> ailment = item.id().equals(provider.cluster.brokenComponent)
                ? Optional.of(provider.cluster.brokenCause)
                : item.ailment();
        post(
                provider.cluster,
                ailment.map(cause -> events.failed(source, cause))
                        .orElseGet(() -> item.kind().equals("helm")
                                ? isNew ? events.installed(source) : events.upgraded(source)
                                : events.reconciled(source)));
        provider.cluster.witnesses.atWork.remove(item.id());
        witnesses.look(provider.cluster);
    }

    private void wentAway(Provider provider, SimItem item) {
        if (!provider.inventory().containsKey(item.id()) && !item.kept()) {
            FluxEvents.Source source = new FluxEvents.Source(item, provider.digest());
            FluxEvents events = provider.cluster.events();
            post(provider.cluster, item.kind().equals("helm") ? events.uninstalled(source) : events.pruned(source));
            provider.cluster.witnesses.left.remove(item.id());
        }
        provider.cluster.witnesses.atWork.remove(item.id());
        witnesses.look(provider.cluster);
    }

    /** Kustomizations report after every reconcile. */
    private void beat(Provider provider) {
        SimCluster cluster = provider.cluster;
        long now = System.nanoTime();
        if (!provider.plural.equals(COMPONENTS) || cluster.broken || now < cluster.nextHeartbeat) {
            return;
        }
        boolean first = cluster.nextHeartbeat == 0;
        cluster.nextHeartbeat = now + settings.heartbeat().toNanos();
        if (!first) {
            wellOnes(provider).forEach(item -> later(() -> cameUp(provider, item, false)));
        }
    }

    private static List<SimItem> wellOnes(Provider provider) {
        return provider.inventory().values().stream()
                .filter(item ->
                        item.kind().equals("kustomize") && item.ailment().isEmpty())
                .sorted(java.util.Comparator.comparing(SimItem::id))
                .toList();
    }

    /** Components of some more clusters, of those that work, go down; returns which clusters. */
    public List<String> breakSome(double share, String cause) {
        return call(() -> {
            List<Provider> well = new ArrayList<>(components()
                    .filter(provider -> !provider.cluster.broken)
                    // One that fails already would not add to those that fail.
                    .filter(provider -> provider.inventory().values().stream()
                            .allMatch(item -> item.ailment().isEmpty()))
                    .filter(provider -> !wellOnes(provider).isEmpty())
                    .toList());
            Collections.shuffle(well, random);
            int wanted = (int) Math.max(1, Math.round(share * clusters.size()));
            List<Provider> chosen = well.subList(0, Math.min(wanted, well.size()));
            chosen.forEach(provider -> {
                provider.cluster.broken = true;
                SimItem item = wellOnes(provider).getFirst();
                provider.cluster.brokenComponent = item.id();
                provider.cluster.brokenCause = cause;
                witnesses.look(provider.cluster);
                byte[] event = provider.cluster.events().failed(new FluxEvents.Source(item, provider.digest()), cause);
                post(provider.cluster, event);
            });
            return names(chosen);
        });
    }

    /** What was broken comes up again; returns which clusters. */
    public List<String> heal() {
        return call(() -> {
            List<Provider> broken =
                    components().filter(provider -> provider.cluster.broken).toList();
            broken.forEach(provider -> {
                provider.cluster.broken = false;
                provider.cluster.brokenComponent = "";
                witnesses.look(provider.cluster);
                // What comes up again without having been changed sends no event: a set that looks at it finds out.
                if (provider.cluster.witnesses.sets.isEmpty()) {
                    // Events have whole seconds, and these have to be after the failure.
                    wellOnes(provider).forEach(item -> schedule.in(1.1, () -> cameUp(provider, item, false)));
                }
            });
            return names(broken);
        });
    }

    private Stream<Provider> components() {
        return clusters.values().stream()
                .flatMap(cluster -> cluster.providers().values().stream())
                .filter(provider -> provider.plural.equals(COMPONENTS));
    }

    private static List<String> names(List<Provider> providers) {
        return providers.stream()
                .map(provider -> provider.cluster.identity().id())
                .sorted()
                .toList();
    }

    public Figures figures() {
        return call(this::soFar);
    }

    private Figures soFar() {
        Duration time = Duration.ofNanos((stopping ? stopped : System.nanoTime()) - begun);
        Duration warm = time.minus(settings.warmUp());
        return new Figures(
                clusters.size(),
                providers,
                time,
                polls,
                new Figures.Measured(
                        warm.isNegative() ? Duration.ZERO : warm,
                        measured,
                        latencies.within(0.5),
                        latencies.within(0.99),
                        Duration.ofNanos(lag)),
                Map.copyOf(statuses),
                Map.copyOf(faults),
                Map.copyOf(held),
                older,
                unmarked,
                added,
                changed,
                deletions.size(),
                kept,
                mailbox.figures(),
                witnesses.said());
    }

    public List<Deletion> deletions() {
        return call(() -> List.copyOf(deletions));
    }

    public Timeline timeline() {
        return call(timeline::soFar);
    }

    /** Ids of what a cluster has of a type; nothing before its first answer. */
    public Optional<Set<String>> inventory(String cluster, String plural) {
        return call(() -> Optional.ofNullable(clusters.get(cluster))
                .map(known -> known.providers().get(plural))
                .filter(Provider::isTold)
                .map(provider -> Set.copyOf(provider.inventory().keySet())));
    }

    /** Clusters that have had an answer for every type. */
    public long settled() {
        return call(() -> clusters.values().stream()
                .filter(cluster -> cluster.providers().size() > 1
                        && cluster.providers().values().stream().allMatch(Provider::isTold))
                .count());
    }

    private <T> T call(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        context.runOnContext(nothing -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }

    /** Nothing more is asked; what was asked may still be answered. */
    public void stop() {
        call(() -> {
            mailbox.close();
            stopped = stopping ? stopped : System.nanoTime();
            stopping = true;
            return stopping;
        });
    }

    @Override
    public void close() {
        stop();
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(STOP.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
