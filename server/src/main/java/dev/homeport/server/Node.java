package dev.homeport.server;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.document.Document;
import dev.homeport.document.Types;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.observe.PastItems;
import dev.homeport.observe.RemovalQuestions;
import dev.homeport.observe.Report;
import dev.homeport.observe.WitnessQuestion;
import dev.homeport.problem.ProblemException;
import dev.homeport.server.admin.HeldExpiries;
import dev.homeport.server.admin.Services;
import dev.homeport.server.audit.AuditService;
import dev.homeport.server.compat.SeedFile;
import dev.homeport.server.config.BadSettings;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.events.EventDoor;
import dev.homeport.server.events.EventInbox;
import dev.homeport.server.events.ReportedAnswers;
import dev.homeport.server.events.Reports;
import dev.homeport.server.events.Strangers;
import dev.homeport.server.http.ConnectionLimits;
import dev.homeport.server.http.FailedLogins;
import dev.homeport.server.http.RefusedAttempts;
import dev.homeport.server.liveness.LoopHealth;
import dev.homeport.server.liveness.Loops;
import dev.homeport.server.metrics.Meters;
import dev.homeport.server.poll.AnswerContent;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollDesk;
import dev.homeport.server.poll.PollKeeper;
import dev.homeport.server.poll.PollLimits;
import dev.homeport.server.signin.Visitors;
import dev.homeport.server.state.Observed;
import dev.homeport.server.state.ObservedContact;
import dev.homeport.server.state.ObserverWatch;
import dev.homeport.server.state.RemovalWatch;
import dev.homeport.server.state.StateBoard;
import dev.homeport.server.state.WitnessBook;
import dev.homeport.server.storage.FirstToken;
import dev.homeport.server.storage.MasterKeyFile;
import dev.homeport.server.storage.SeenMark;
import dev.homeport.server.storage.Storage;
import dev.homeport.server.storage.StoreKey;
import dev.homeport.server.tracing.OpenTelemetryTracing;
import dev.homeport.server.tracing.TracedLog;
import dev.homeport.server.tracing.Tracing;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.FollowerState;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.snapshot.Snapshot;
import dev.homeport.store.HeadWatchListener;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.ExpirySweep;
import dev.homeport.write.StoreInitializer;
import dev.homeport.write.Writer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a server, put together. The one place that sees stores, clocks and random numbers. */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final Duration FOLLOW_INTERVAL = Duration.ofMillis(250);

    /** How long the thread that watches the head waits for news at most. */
    private static final Duration HEAD_INTERVAL = Duration.ofSeconds(1);

    private static final Duration KEEP_INTERVAL = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);
    private static final Duration AUDIT_INTERVAL = Duration.ofMillis(500);
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    /** Whatever the settings say, rendered answers do not take more of the heap than one part of this many. */
    private static final int CACHE_SHARE_OF_HEAP = 4;

    final ServerSettings settings;
    final InstantSource clock = InstantSource.system();
    final SqlStore store;
    final LogFollower follower;
    final MasterKey master;
    final Rights rights;
    final Identification identification;
    final Visitors visitors;
    final LastSeen lastSeen = new LastSeen();
    final Reports reports = new Reports();
    final Strangers strangers = new Strangers();
    final ReportedAnswers reportedAnswers = new ReportedAnswers(strangers, this::wasGivenLast);
    final EventInbox inbox;
    final StateBoard board;
    final HeldExpiries heldExpiries = new HeldExpiries();
    final RefusedAttempts refusals = new RefusedAttempts();
    final PollKeeper keeper;
    final Writer writer;
    final Meters meters;
    final FailedLogins failedLogins = new FailedLogins();
    final ConnectionLimits connections;
    final Tracing tracing;
    final PollDesk polls;
    final AuditService audit;
    final Optional<FirstToken> firstToken;
    private final Storage storage;
    final Loops loops;

    private Node(ServerSettings settings, Storage storage, SqlStore store) {
        this.settings = settings;
        this.connections = ConnectionDefaults.limits(settings, clock);
        this.storage = storage;
        this.store = store;
        this.loops = new Loops(settings.liveness());
        boolean crud = settings.mode() == ServerSettings.Mode.CRUD;
        boolean writes = writes(settings);
        boolean fresh =
                store.head().revision() == 0 && store.status().quarantine().isEmpty();
        this.master = masterKey(
                store, MasterKeyFile.in(storage.data(), settings.keyAccess()), writes, fresh, clock.instant());
        this.keeper = new PollKeeper(
                () -> storage.observed(opening(settings).mode()),
                lastSeen,
                reports,
                strangers,
                refusals,
                clock,
                settings.observedDays());
        String storeId = store.head().storeId();
        SeenMark mark = new SeenMark(
                HighWater.in(storage.data()),
                keeper.highest().filter(seen -> seen.storeId().equals(storeId)));
        this.follower = LogFollower.open(store, mark, System::nanoTime, BuiltInTypes.catalog());
        AnswerCache answerCache = new AnswerCache(
                Math.min(settings.answerCacheBytes(), Runtime.getRuntime().maxMemory() / CACHE_SHARE_OF_HEAP));
        this.rights = new Rights(clock, settings.signIn().people().isPresent(), settings.signIn()::isNameOfIssuer);
        this.identification = new Identification(master, fixedTokens(settings));
        this.visitors = new Visitors(settings.signIn(), master, clock);
        Observed observed = new Observed(lastSeen, reports);
        reports.ask(cluster -> removalQuestions(observed, cluster));
        ClusterContact contact = new ObservedContact(keeper, follower, observed, clock);
        this.board = new StateBoard(
                follower,
                observed,
                new RemovalWatch(store, observed, contact, keeper::hasLearnt, this::noteReport),
                clock);
        this.meters = new Meters(follower, answerCache, board, keeper, heldExpiries::count);
        loops.each(meters::loop);
        this.tracing = settings.traces()
                .<Tracing>map(traces -> new OpenTelemetryTracing(traces.endpoint(), traces.share(), clock))
                .orElse(Tracing.OFF);
        this.writer = new Writer(
                tracing == Tracing.OFF ? store : new TracedLog(store, tracing),
                follower,
                rights,
                new Confirmation(master.confirmationKey()),
                contact,
                clock,
                took -> {
                    meters.planned(took);
                    tracing.planned(took);
                });
        ObserverWatch watch = new ObserverWatch(keeper);
        boolean founded =
                fresh && writes && StoreInitializer.initialize(writer, watch.begun(store.head(), Node::observerName));
        if (!founded && crud && follower.state() instanceof FollowerState.Following) {
            StoreInitializer.roles(writer);
            watch.begin(follower.live().current(), writer, Node::observerName);
        }
        settings.seedFile().ifPresent(file -> seed(file, founded));
        this.firstToken = crud ? FirstToken.ensure(settings, writer, follower, store, master) : Optional.empty();
        this.polls = new PollDesk(
                follower,
                identification,
                rights,
                new AnswerBook(answerCache),
                new WitnessBook(answerCache, observed, keeper::hasLearnt, clock),
                lastSeen,
                clock,
                settings.freshness(),
                PollLimits.of(settings.pollRate(), failedLogins),
                strangers,
                refusals);
        meters.quarantine(polls::refusedInQuarantine);
        keeper.record(
                (key, shape, digest) -> AnswerContent.items(follower.live().current(), key, shape, digest));
        this.inbox = EventDoor.inbox(
                follower,
                master,
                reports,
                failedLogins,
                strangers,
                reportedAnswers,
                keeper::opened,
                meters.events(),
                EventInbox.Limits.STANDARD,
                loops);
        this.audit = new AuditService(
                settings.audit(),
                storage.data(),
                master,
                store,
                () -> crud && follower.state() instanceof FollowerState.Following
                        ? Optional.of(follower.live().current().head())
                        : Optional.empty(),
                clock);
        refusals.forwardTo(audit::denied, audit::deniedUnseen);
        meters.audit(audit.forwarders(), refusals::dropped);
        audit.forwarders().forEach(forwarder -> loop("audit-" + forwarder.name(), AUDIT_INTERVAL, forwarder::turn));
        watchHead();
        polls.watch(loops);
        loop("follower", () -> follower.follow(FOLLOW_INTERVAL));
        loop("observed", KEEP_INTERVAL, this::keepPolls);
        loop("states", board::turn);
        if (crud) {
            loop("heartbeat", HEARTBEAT_INTERVAL, this::beat);
            ExpirySweep sweep = new ExpirySweep(writer, store, contact);
            loop("expiry", SWEEP_INTERVAL, () -> sweep(sweep));
        }
    }

    /** Seeding is asked for with a throw-away store, or with the init of a new one; never done because a store is empty. */
    private void seed(Path file, boolean made) {
        boolean asked = settings.store() instanceof ServerSettings.Store.Memory || made && settings.initialise();
        if (!asked) {
            LOG.warn(
                    "seed_file is for a throw-away store, or for one that init makes at this start; this one is left as"
                            + " it is: import the file instead");
            return;
        }
        try {
            SeedFile.load(file, writer);
        } catch (ProblemException e) {
            throw new BadSettings(List.of("the seed file " + file + " is refused: " + e.getMessage()));
        } catch (UncheckedIOException e) {
            throw new BadSettings(List.of(String.valueOf(e.getMessage())));
        }
    }

    Services services() {
        SecureRandom random = new SecureRandom();
        Services.RandomBytes randomBytes = count -> {
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            return bytes;
        };
        return new Services(
                follower,
                writer,
                store,
                rights,
                master,
                lastSeen,
                board,
                keeper,
                settings,
                clock,
                randomBytes,
                refusals,
                heldExpiries,
                connections,
                loops,
                audit);
    }

    /** The store has a thread of its own for this, which nothing else would miss. */
    private void watchHead() {
        LoopHealth health = loops.adopt("head", HEAD_INTERVAL, () -> !store.isHeadWatched());
        store.watchHead(new HeadWatchListener() {
            @Override
            public void turned() {
                health.turned();
            }

            @Override
            public void failed(Error failure) {
                health.failed(failure);
            }
        });
    }

    /** Lets servers that read a replica of the database know how old it is. */
    private void beat() {
        try {
            store.heartbeat();
        } catch (StoreUnavailable e) {
            LOG.debug("the store does not answer", e); // the follower says so
        }
    }

    private void sweep(ExpirySweep sweep) {
        try {
            heldExpiries.update(
                    sweep.sweep(follower.live().current(), clock.instant()).held());
        } catch (StoreUnavailable e) {
            LOG.debug("the store does not answer", e); // the follower says so
        }
    }

    private boolean wasGivenLast(String cluster, String digest) {
        return lastSeen.last(cluster, "platform-components")
                .filter(poll -> poll.digest().equals(digest))
                .isPresent();
    }

    private void compareItems() {
        try {
            reportedAnswers.compareItems(
                    clock.instant(),
                    (cluster, component, digest) ->
                            PastItems.contain(store, follower.live().current(), cluster, component, digest));
        } catch (StoreUnavailable e) {
            LOG.debug("the store does not answer", e); // the follower says so
        }
    }

    /** Saves polls, and compares what others have seen of the log with what is here. */
    private void keepPolls() {
        if (follower.state() instanceof FollowerState.Following) {
            keeper.keep(follower.live().current().head());
            keeper.compare(reportedAnswers);
            compareItems();
            keeper.forgetGone(id -> follower.live().current().document(Types.CLUSTER, id) != null);
            keeper.highest().ifPresent(seen -> {
                try {
                    follower.confront(seen);
                } catch (StoreUnavailable e) {
                    LOG.debug("the store does not answer", e); // the follower says so
                }
            });
        } else {
            keeper.keepRefused();
        }
    }

    public static Node start(ServerSettings settings) {
        Storage storage = Storage.of(settings);
        try {
            SqlStore store = storage.open(opening(settings));
            try {
                return new Node(settings, storage, store);
            } catch (RuntimeException e) {
                store.close();
                throw e;
            }
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** No cluster's id: those have no colon. */
    private static String observerName() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return "observer:" + HexFormat.of().formatHex(bytes);
    }

    private List<WitnessQuestion> removalQuestions(Observed observed, String cluster) {
        Snapshot snapshot = follower.live().current();
        Document document = snapshot.document(Types.CLUSTER, cluster);
        return document == null
                ? List.of()
                : RemovalQuestions.of(snapshot, document, observed.reports(cluster), observed.witnesses(cluster));
    }

    private void noteReport(Report report) {
        inbox.note(report);
    }

    /** A throw-away store has no other process that could fill it. */
    private static boolean writes(ServerSettings settings) {
        return settings.mode() == ServerSettings.Mode.CRUD || settings.store() instanceof ServerSettings.Store.Memory;
    }

    private static Opening opening(ServerSettings settings) {
        Opening wanted = writes(settings) ? Storage.writer() : Opening.follower();
        return settings.initialise() ? wanted.initialising() : wanted;
    }

    /** Only a new store may get a new key. */
    private static MasterKey masterKey(SqlStore store, MasterKeyFile file, boolean writes, boolean fresh, Instant now) {
        if (!writes) {
            return StoreKey.ofReader(store, file);
        }
        return fresh ? StoreKey.ofNewStore(store, file, now) : StoreKey.ofWriter(store, file);
    }

    private static List<Identification.FixedToken> fixedTokens(ServerSettings settings) {
        List<Identification.FixedToken> fixed = new ArrayList<>();
        settings.compatReadToken().ifPresent(text -> fixed.add(compat(text, "reader", Caller.Access.COMPAT_READER)));
        settings.compatWriteToken().ifPresent(text -> fixed.add(compat(text, "writer", Caller.Access.COMPAT_WRITER)));
        return fixed;
    }

    private static Identification.FixedToken compat(String text, String name, Caller.Access access) {
        Actor actor = new Actor(Actor.Kind.COMPAT, "compat-" + name);
        return new Identification.FixedToken(text, new Caller(actor, access, Optional.empty(), ""));
    }

    /** One turn of work that may be interrupted. */
    interface Turn {
        void take() throws InterruptedException;
    }

    /** Takes turns until the node is closed, whatever fails. */
    void loop(String name, Turn turn) {
        loops.start(name, () -> {
            turn.take();
            return true;
        });
    }

    /** The same with a pause before each turn. */
    void loop(String name, Duration interval, Turn turn) {
        loops.start(name, interval, () -> {
            Thread.sleep(interval);
            turn.take();
            return true;
        });
    }

    @Override
    public void close() {
        loops.closing();
        inbox.close();
        polls.close();
        loops.close();
        audit.close();
        visitors.close();
        keepPolls(); // what the last requests left
        keeper.close();
        tracing.close();
        store.close();
        storage.close();
    }
}
