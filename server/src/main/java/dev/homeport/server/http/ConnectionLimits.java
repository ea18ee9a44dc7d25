package dev.homeport.server.http;

import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many connections may be open on each plane and from one address, and how many bytes they may hold. Proxies that are
 * trusted speak for many clients, so they are not limited as an address.
 */
public final class ConnectionLimits {
    private final int perAddress;
    private final ByteBudget bytes;

    /** Of its own, so that clients without a token, who can only send, do not keep polls from being answered. */
    private final ByteBudget answers;

    private final TrustedProxies proxies;
    private final InstantSource clock;
    private final ConcurrentHashMap<String, Origin> origins = new ConcurrentHashMap<>();
    private final List<Plane> planes = new CopyOnWriteArrayList<>();

    public ConnectionLimits(int perAddress, long bytes, TrustedProxies proxies, InstantSource clock) {
        this.perAddress = perAddress;
        this.bytes =
                new ByteBudget(bytes, clock, "the server is receiving more requests than fit into its memory limit");
        this.answers = new ByteBudget(
                bytes, clock, "the server is sending more answers to slow readers than fit into its memory limit");
        this.proxies = proxies;
        this.clock = clock;
    }

    /** An address with open connections. The count only changes within the map's own updates. */
    private static final class Origin {
        private final String key;
        private final ByteBudget.Share share = new ByteBudget.Share();
        private int connections;

        private Origin(String key) {
            this.key = key;
        }
    }

    /** Why a connection is refused. */
    public enum Reason {
        CONNECTIONS,
        ADDRESS
    }

    public ByteBudget bytes() {
        return bytes;
    }

    /** For answers that are not taken at once. */
    public ByteBudget answers() {
        return answers;
    }

    public int perAddress() {
        return perAddress;
    }

    public List<Plane> planes() {
        return List.copyOf(planes);
    }

    /** Limits the connections of one more plane. */
    public Plane plane(String name, int limit) {
        Plane plane = new Plane(name, limit);
        planes.add(plane);
        return plane;
    }

    /** The connections of one plane. */
    public final class Plane {
        private final String name;
        private final int limit;
        private final AtomicInteger open = new AtomicInteger();
        private final LongAdder evicted = new LongAdder();
        private final Map<Reason, LongAdder> refused = new EnumMap<>(Reason.class);
        private final Map<Reason, Episode> reached = new EnumMap<>(Reason.class);
        private final ByteBudget.Share answersOfPeople = new ByteBudget.Share();

        private Plane(String name, int limit) {
            this.name = name;
            this.limit = limit;
            for (Reason reason : Reason.values()) {
                refused.put(reason, new LongAdder());
                reached.put(reason, new Episode());
            }
        }

        private LongAdder count(Reason reason) {
            return Objects.requireNonNull(refused.get(reason));
        }

        private Episode episode(Reason reason) {
            return Objects.requireNonNull(reached.get(reason));
        }

        /**
         * Admits a connection, or returns nothing when it is to be closed.
         *
         * @param makeRoom closes an idle connection; false if no connection is idle
         */
        public @Nullable ConnectionSlot admit(String peer, BooleanSupplier makeRoom) {
            Origin origin = null;
            if (!proxies.isTrusted(peer)) {
                origin = enter(peer);
                if (origin == null) {
                    refuse(Reason.ADDRESS, peer);
                    return null;
                }
            }
            if (open.incrementAndGet() > limit) {
                if (!makeRoom.getAsBoolean()) {
                    open.decrementAndGet();
                    leave(origin);
                    refuse(Reason.CONNECTIONS, peer);
                    return null;
                }
                evicted.increment();
                note(Reason.CONNECTIONS, peer);
            }
            return new ConnectionSlot(this, origin == null ? null : origin.key);
        }

        public ByteBudget bytes() {
            return bytes;
        }

        /** Bytes for an answer that is not taken at once, to be closed by the caller. */
        public ByteBudget.Lease answers() {
            return answers.lease(null);
        }

        /** The same for people, who together get no more than half: polls need the rest. */
        ByteBudget.Lease answersOfPeople() {
            return answers.lease(answersOfPeople);
        }

        /** Whether answers to writes, which are never refused, wait beyond the limit. */
        boolean isOverdrawn() {
            return answers.isOverdrawn(answersOfPeople);
        }

        ByteBudget allAnswers() {
            return answers;
        }

        /** Whether the peer is a trusted proxy. */
        public boolean isProxy(String peer) {
            return proxies.isTrusted(peer);
        }

        /** The same for an address that a proxy named later on; empty when that one has too many. */
        Optional<String> rename(@Nullable String former, String address) {
            Origin origin = enter(address);
            if (origin == null) {
                refuse(Reason.ADDRESS, address);
                return Optional.empty();
            }
            if (former != null) {
                leave(origins.get(former));
            }
            return Optional.of(origin.key);
        }

        void left(@Nullable String origin) {
            open.decrementAndGet();
            leave(origin == null ? null : origins.get(origin));
        }

        ByteBudget.Lease lease(@Nullable String origin) {
            Origin known = origin == null ? null : origins.get(origin);
            return bytes.lease(known == null ? null : known.share);
        }

        private void refuse(Reason reason, String address) {
            count(reason).increment();
            note(reason, address);
        }

        private void note(Reason reason, String address) {
            episode(reason).note(clock.instant(), address);
        }

        public String name() {
            return name;
        }

        public int limit() {
            return limit;
        }

        public int open() {
            return open.get();
        }

        /** Connections that were closed to make room. */
        public long evicted() {
            return evicted.sum();
        }

        public long refused(Reason reason) {
            return count(reason).sum();
        }

        /** When the limit was reached last, if that is not long ago. */
        public Optional<Episode.Reached> reached(Reason reason, Instant now) {
            return episode(reason).lately(now);
        }
    }

    private @Nullable Origin enter(String address) {
        String key = FailedLogins.network(address);
        boolean[] entered = {false};
        Origin origin = origins.compute(key, (_, known) -> {
            Origin one = known == null ? new Origin(key) : known;
            if (one.connections < perAddress) {
                one.connections++;
                entered[0] = true;
            }
            return one;
        });
        return entered[0] ? origin : null;
    }

    private void leave(@Nullable Origin origin) {
        if (origin != null) {
            origins.computeIfPresent(origin.key, (_, known) -> --known.connections == 0 ? null : known);
        }
    }
}
