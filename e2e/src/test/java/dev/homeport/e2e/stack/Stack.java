package dev.homeport.e2e.stack;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What is started once and shared by all tests of a run: a registry, a Homeport on the embedded store with a gateway in
 * front, a Homeport on PostgreSQL, and four clusters. Each starts when first asked for.
 */
public final class Stack {
    /** The lock on {@link #embedded}: tests that use it read, tests that stop it or take its data write. */
    public static final String EMBEDDED = "embedded";

    /** The lock on the first cluster, and on what is between it and Homeport. */
    public static final String FIRST = "first";

    /** The lock on the second cluster. */
    public static final String SECOND = "second";

    /** The lock on {@link #onPostgres} and on the third cluster. */
    public static final String POSTGRES = "postgres";

    /** The lock on the fourth cluster. */
    public static final String DEFAULT_LIMIT = "default event limit";

    private static final Deque<AutoCloseable> STARTED = new ArrayDeque<>();
    private static final Object LOCK = new Object();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Stack::close, "stack"));
    }

    private Stack() {}

    private static final class Shared {
        static final Optional<OwnNetwork> NETWORK = OwnNetwork.in(Folders.RUN.resolve("network"));

        static {
            NETWORK.ifPresent(Stack::started);
        }

        static final Pki PKI = Pki.in(
                Folders.RUN.resolve("pki"),
                NETWORK.map(OwnNetwork::address).stream().toList());
        static final Connections CONNECTIONS = started(new Connections());
        static final Registry REGISTRY = started(Registry.in(Folders.RUN.resolve("registry")));
    }

    private static final class Embedded {
        static final Homeport HOMEPORT = started(Homeport.embedded("homeport-embedded", Shared.PKI, Shared.NETWORK));
        static final Gateway GATEWAY = started(Gateway.to(HOMEPORT.pollUrl(), Shared.PKI));
    }

    private static final class Postgres {
        static final Homeport HOMEPORT = started(Homeport.onPostgres("homeport-postgres", Shared.PKI));
    }

    private static final class First {
        static final KubeCluster CLUSTER = started(another("a"));

        static {
            KubeCluster.PROGRAMS.forEach(
                    program -> Shared.CONNECTIONS.watch("a " + program, () -> CLUSTER.pid(program)));
        }
    }

    private static final class Second {
        static final KubeCluster CLUSTER = started(another("b", FluxOptions.LOCKDOWN));
    }

    private static final class Third {
        static final KubeCluster CLUSTER = started(another("c"));
    }

    private static final class Fourth {
        static final KubeCluster CLUSTER = started(another("e", FluxOptions.DEFAULT_EVENT_LIMIT));
    }

    /** The one that {@link #embedded} has for itself; nothing where that is not allowed. */
    public static Optional<OwnNetwork> network() {
        return Shared.NETWORK;
    }

    public static Pki pki() {
        return Shared.PKI;
    }

    /** Whom the programs of the first cluster spoke to since the start, under "a flux-operator" and so on. */
    public static Connections connections() {
        return Shared.CONNECTIONS;
    }

    public static Registry registry() {
        return Shared.REGISTRY;
    }

    public static Homeport embedded() {
        return Embedded.HOMEPORT;
    }

    /** In front of {@link #embedded}. */
    public static Gateway gateway() {
        return Embedded.GATEWAY;
    }

    public static Homeport onPostgres() {
        return Postgres.HOMEPORT;
    }

    public static KubeCluster first() {
        return First.CLUSTER;
    }

    /** Its Flux is locked down, as for several tenants. */
    public static KubeCluster second() {
        return Second.CLUSTER;
    }

    public static KubeCluster third() {
        return Third.CLUSTER;
    }

    /** The one whose notification-controller drops equal events for five minutes, as it does by default. */
    public static KubeCluster fourth() {
        return Fourth.CLUSTER;
    }

    /** One more, for a test that needs an empty one; the test closes it. */
    public static KubeCluster another(String name) {
        return another(name, FluxOptions.SHORT_EVENT_LIMIT);
    }

    /** The same, with other flags for Flux. */
    public static KubeCluster another(String name, FluxOptions options) {
        return KubeCluster.start(name, options);
    }

    /** One more, without Flux; the test closes it. */
    public static KubeCluster empty(String name) {
        return KubeCluster.empty(name, FluxOptions.SHORT_EVENT_LIMIT);
    }

    private static <T extends AutoCloseable> T started(T part) {
        synchronized (LOCK) {
            STARTED.push(part);
        }
        return part;
    }

    /** The last one started goes first. What cannot be stopped here is left to the undertaker. */
    private static void close() {
        synchronized (LOCK) {
            for (AutoCloseable part : STARTED) {
                try {
                    part.close();
                } catch (Exception e) {
                    System.err.println("not stopped: " + e);
                }
            }
        }
    }
}
