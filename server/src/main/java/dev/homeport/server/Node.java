package dev.homeport.server;

import dev.homeport.access.Actor;
import dev.homeport.access.Caller;
import dev.homeport.access.Identification;
import dev.homeport.access.MasterKey;
import dev.homeport.access.Rights;
import dev.homeport.document.BuiltInTypes;
import dev.homeport.fleet.AnswerCache;
import dev.homeport.server.admin.Services;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.poll.LastSeen;
import dev.homeport.server.poll.PollDesk;
import dev.homeport.snapshot.AnswerBook;
import dev.homeport.snapshot.LogFollower;
import dev.homeport.store.HighWater;
import dev.homeport.store.Opening;
import dev.homeport.store.SqlStore;
import dev.homeport.store.Stores;
import dev.homeport.write.ClusterContact;
import dev.homeport.write.Confirmation;
import dev.homeport.write.ExpirySweep;
import dev.homeport.write.Founding;
import dev.homeport.write.Writer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a server, put together. The one place that sees stores, clocks and random numbers. */
public final class Node implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    private static final Duration FOLLOW_INTERVAL = Duration.ofMillis(500);
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    final ServerSettings settings;
    final InstantSource clock = InstantSource.system();
    final SqlStore store;
    final LogFollower follower;
    final MasterKey master;
    final Rights rights = new Rights();
    final Identification identification;
    final LastSeen lastSeen = new LastSeen();
    final Writer writer;
    final PollDesk polls;
    final Optional<FirstToken> firstToken;
    private final List<Thread> loops = new ArrayList<>();

    private Node(ServerSettings settings, Path data) {
        this.settings = settings;
        this.master = MasterKeyFile.in(data);
        this.store = open(settings, data);
        boolean fresh = store.head().revision() == 0;
        this.follower = LogFollower.open(store, HighWater.in(data), clock, BuiltInTypes.catalog());
        this.identification = new Identification(master, fixedTokens(settings));
        ClusterContact contact = ClusterContact.UNKNOWN;
        this.writer = new Writer(store, follower, rights, new Confirmation(master.confirmationKey()), contact, clock);
        boolean crud = settings.mode() == ServerSettings.Mode.CRUD;
        if (fresh && crud) {
            Founding.found(writer);
        }
        this.firstToken = crud ? FirstToken.ensure(settings, writer, follower, master) : Optional.empty();
        this.polls = new PollDesk(
                follower,
                identification,
                rights,
                new AnswerBook(new AnswerCache(settings.answerCacheBytes())),
                lastSeen,
                clock,
                settings.freshness());
        loop("follower", () -> follower.run(FOLLOW_INTERVAL));
        if (crud) {
            ExpirySweep sweep = new ExpirySweep(writer, store, contact);
            loop("expiry", () -> {
                while (true) {
                    Thread.sleep(SWEEP_INTERVAL);
                    sweep.sweep(follower.live().current(), clock.instant())
                            .held()
                            .forEach(held -> LOG.warn("expiry of {} is held: {}", held.key(), held.reason()));
                }
            });
        }
    }

    Services services() {
        SecureRandom random = new SecureRandom();
        return new Services(follower, writer, store, rights, master, lastSeen, clock, count -> {
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            return bytes;
        });
    }

    public static Node start(ServerSettings settings) {
        return new Node(settings, dataDirectory(settings));
    }

    private static Path dataDirectory(ServerSettings settings) {
        if (!(settings.store() instanceof ServerSettings.Store.Memory)) {
            return settings.data();
        }
        try {
            return Files.createTempDirectory("homeport-memory");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SqlStore open(ServerSettings settings, Path data) {
        Opening wanted = settings.mode() == ServerSettings.Mode.CRUD
                ? Opening.writer(() -> UUID.randomUUID().toString())
                : Opening.follower();
        Opening opening = settings.initialise() ? wanted.initialising() : wanted;
        return switch (settings.store()) {
            case ServerSettings.Store.Embedded _, ServerSettings.Store.Memory _ -> Stores.sqlite(data, opening);
            case ServerSettings.Store.Postgres postgres ->
                Stores.postgres(PostgresUrl.settings(postgres.url()), opening);
        };
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

    /** Work that may be interrupted. */
    private interface Loop {
        void run() throws InterruptedException;
    }

    private void loop(String name, Loop work) {
        loops.add(Thread.ofPlatform().daemon().name(name).start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    work.run();
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    LOG.error("the {} loop failed and goes on", name, e);
                    pause();
                }
            }
        }));
    }

    private static void pause() {
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        loops.forEach(Thread::interrupt);
        for (Thread loop : loops) {
            try {
                loop.join(Duration.ofSeconds(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        store.close();
    }
}
