package dev.homeport.e2e.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** flux-operator and the four controllers of Flux, outside the cluster that they work for. */
final class Flux implements AutoCloseable {
    static final String NAMESPACE = "flux-system";
    static final List<String> PROGRAMS = List.of(
            "flux-operator", "source-controller", "kustomize-controller", "helm-controller", "notification-controller");
    static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final String OPERATOR = "flux-operator";

    private final Path folder;
    private final Path kubeconfig;
    private FluxOptions options;
    private final String events = "http://127.0.0.1:" + Ports.free() + "/";
    private final String artifacts = "127.0.0.1:" + Ports.free();
    private final Map<String, Daemon> daemons = new ConcurrentSkipListMap<>();

    Flux(Path folder, Path kubeconfig, FluxOptions options) {
        this.folder = Folders.made(folder);
        this.kubeconfig = kubeconfig;
        this.options = options;
    }

    /** Starts what the operator would let Kubernetes start. Their CRDs and the namespace must be there. */
    void controllers() {
        // An event that cannot be delivered holds up a reconcile for 15 s, so who takes events comes first.
        run(
                "notification-controller",
                "--events-addr=" + events.substring("http://".length()).replace("/", ""),
                "--receiverAddr=127.0.0.1:" + Ports.free());
        run(
                "source-controller",
                "--storage-path=" + Folders.made(folder.resolve("artifacts")),
                "--storage-addr=" + artifacts,
                "--storage-adv-addr=" + artifacts,
                "--events-addr=" + events);
        run("kustomize-controller", "--events-addr=" + events, "--requeue-dependency=1s");
        run("helm-controller", "--events-addr=" + events, "--requeue-dependency=1s");
    }

    /** They end, and start again with other flags. */
    void restartControllers(FluxOptions others) {
        PROGRAMS.stream().filter(program -> !program.equals(OPERATOR)).forEach(program -> {
            Daemon daemon = daemons.remove(program);
            if (daemon != null) {
                daemon.kill();
            }
        });
        options = others;
        controllers();
    }

    /** More flags for what starts from now on. */
    void add(String program, List<String> flags) {
        options = options.with(program, flags.toArray(String[]::new));
    }

    /** Starts the operator; its state is in the cluster, so a second one goes on where the first one ended. */
    void operator() {
        run(
                OPERATOR,
                "--enable-leader-election=false",
                "--web-server-port=0",
                "--requeue-dependency=1s",
                "--storage-path=" + Folders.CACHE.resolve("flux-operator-data"));
    }

    void killOperator() {
        Daemon operator = daemons.remove(OPERATOR);
        if (operator != null) {
            operator.kill();
        }
    }

    private void run(String name, String... more) {
        int health = Ports.free();
        List<String> command = new ArrayList<>(List.of(
                Folders.program(name),
                "--metrics-addr=127.0.0.1:" + Ports.free(),
                "--health-addr=127.0.0.1:" + health,
                // What failed is tried again soon, so that tests need not wait.
                "--min-retry-delay=200ms",
                "--max-retry-delay=" + LONGEST_DELAY.toSeconds() + "s"));
        command.addAll(List.of(more));
        command.addAll(options.of(name));
        Map<String, String> environment = new TreeMap<>(Map.of(
                "KUBECONFIG",
                kubeconfig.toString(),
                "RUNTIME_NAMESPACE",
                NAMESPACE,
                "NOTIFICATION_CONTROLLER_ADDRESS",
                events,
                "TMPDIR",
                Folders.made(folder.resolve("tmp")).toString()));
        if (name.equals(OPERATOR)) {
            environment.put("GODEBUG", "fips140=on"); // it refuses to start without
        }
        Daemon daemon = Daemon.start(name, folder, environment, command);
        daemons.put(name, daemon);
        daemon.await(() -> Http.plain().isOk("http://127.0.0.1:" + health + "/readyz"));
    }

    /** Where events are sent to; it is in the cluster as well. */
    String events() {
        return events;
    }

    String artifacts() {
        return artifacts;
    }

    /** Zero: it is not running. */
    long pid(String name) {
        Daemon daemon = daemons.get(name);
        return daemon == null ? 0 : daemon.pid();
    }

    @Override
    public void close() {
        daemons.values().forEach(Daemon::kill);
    }
}
