package dev.homeport.demo;

import dev.homeport.change.StoreCorrupt;
import dev.homeport.change.StoreRefused;
import dev.homeport.change.StoreUnavailable;
import dev.homeport.server.RunningServer;
import dev.homeport.server.config.ServerSettings;
import dev.homeport.server.config.SettingSources;
import dev.homeport.server.logging.Logging;
import dev.homeport.sim.Identity;
import dev.homeport.sim.IdentityFile;
import dev.homeport.sim.Settings;
import dev.homeport.sim.Simulation;
import dev.homeport.sim.Times;
import dev.homeport.store.PrivateFiles;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code homeport demo}: a server with a simulated fleet, until it is stopped. */
@Command(
        name = "homeport demo",
        description = {
            "Run a server with a simulated fleet: clusters that poll and report as real ones do, and a month of history.",
            "",
            "It needs neither a database nor Kubernetes, listens on loopback only, and writes a context for the "
                    + "command line. The next start continues the same demo."
        },
        mixinStandardHelpOptions = true,
        versionProvider = dev.homeport.server.Main.Version.class,
        sortOptions = false,
        subcommands = {DemoCommand.Break.class, DemoCommand.Heal.class})
public final class DemoCommand implements Callable<Integer> {
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final int HIGHEST_PORT = 65_534;
    private static final int MOST_CLUSTERS = 100_000;
    private static final Duration LONGEST_POLL = Duration.ofHours(1);

    @Option(names = "--clusters", paramLabel = "N", description = "Number of clusters; default 200.")
    @Nullable
    Integer clusters;

    @Option(names = "--poll", paramLabel = "TIME", description = "Time between polls; default 5s.")
    @Nullable
    String poll;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Port of the API; clusters poll on the next one. Default ${DEFAULT-VALUE}.")
    int port = 8080;

    @Option(names = "--fresh", description = "Delete the former demo and start a new one.")
    boolean fresh;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            scope = picocli.CommandLine.ScopeType.INHERIT,
            description = "Data folder of the demo; default in your data folder.")
    @Nullable
    Path data;

    @Spec
    CommandSpec spec;

    private static Path home() {
        return Path.of(System.getenv().getOrDefault("HOME", System.getProperty("user.home", ".")));
    }

    private static DemoFolder standard() {
        return DemoFolder.standard(System.getenv(), home());
    }

    private DemoFolder folder() {
        return data == null ? standard() : new DemoFolder(data.toAbsolutePath().normalize());
    }

    private static RunningDemos running() {
        return new RunningDemos(standard());
    }

    /** What cannot be done, and what to do about it. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        try {
            return run();
        } catch (Refused | IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        } catch (StoreRefused
                | StoreCorrupt
                | StoreUnavailable
                | IllegalStateException
                | java.io.UncheckedIOException e) {
            err.println(e.getMessage());
            err.println("if this demo cannot go on, the same command with --fresh begins a new one");
            return 1;
        }
    }

    private int run() throws InterruptedException {
        DemoFolder folder = folder();
        folder.runningProcess().ifPresent(pid -> {
            throw second(pid);
        });
        refuseTakenPorts();
        DemoFolder.Size size = size(folder);
        try (FileLock _ = seize(folder)) {
            PrintWriter out = spec.commandLine().getOut();
            if (fresh || folder.size().isEmpty()) {
                out.println("making " + size.clusters() + " clusters and a month of history…");
                out.flush();
                quiet(folder);
                new DemoSeed(folder, size, Instant.now()).make();
            } else {
                folder.complete();
            }
            return serve(folder, size, out);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Refused second(String pid) {
        return new Refused("this demo runs already, as process " + pid
                + "; end that one first, or run a second one with --data DIR --port P");
    }

    private static FileLock seize(DemoFolder folder) {
        try {
            return folder.seize()
                    .orElseThrow(() -> second(folder.runningProcess().orElse("that has only begun")));
        } catch (IOException e) {
            String why = switch (e) {
                case FileAlreadyExistsException _ -> "a file is in the way";
                case AccessDeniedException _ -> "that is not allowed";
                case FileSystemException known when known.getReason() != null -> known.getReason();
                default -> "it cannot be made";
            };
            throw new Refused("the demo cannot be kept in " + folder.root() + ", " + why
                    + ": name a folder of your own with --data");
        }
    }

    /** A demo goes on as it was made. */
    private DemoFolder.Size size(DemoFolder folder) {
        Optional<DemoFolder.Size> known = fresh ? Optional.empty() : folder.size();
        DemoFolder.Size standard = known.orElse(new DemoFolder.Size(200, 5));
        DemoFolder.Size wanted = new DemoFolder.Size(
                clusters == null ? standard.clusters() : clusters,
                poll == null
                        ? standard.poll()
                        : (int) Math.min(Integer.MAX_VALUE, Times.parse(poll).toSeconds()));
        if (wanted.clusters() < 1
                || wanted.clusters() > MOST_CLUSTERS
                || wanted.poll() < 1
                || wanted.poll() > LONGEST_POLL.toSeconds()) {
            throw new Refused("a demo has 1 to " + MOST_CLUSTERS
                    + " clusters, which poll every second (--poll 1s) to every hour (--poll 1h)");
        }
        if (known.isPresent() && !known.get().equals(wanted)) {
            throw new Refused("the demo in " + folder.root() + " has " + standard.clusters()
                    + " clusters that poll every " + standard.poll()
                    + " s; go on with it without these options, or begin a new one with --fresh");
        }
        return wanted;
    }

    /** Before anything is made. */
    private void refuseTakenPorts() {
        if (port < 1 || port > HIGHEST_PORT) {
            throw new Refused("--port is a number from 1 to " + HIGHEST_PORT);
        }
        for (int one : List.of(port, port + 1)) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), one));
            } catch (BindException e) {
                String demo = running()
                        .usual()
                        .map(running -> " (a demo runs in " + running.root() + ")")
                        .orElse("");
                throw new Refused("something else listens on port " + one + " of this machine" + demo
                        + "; the demo needs two ports in a row: choose them with --port, such as"
                        + " --port " + (port < 50_000 ? port + 1000 : 18_080));
            } catch (IOException e) {
                throw new Refused("port " + one + " cannot be used: " + e.getMessage());
            }
        }
    }

    private int serve(DemoFolder folder, DemoFolder.Size size, PrintWriter out) throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicInteger exit = new AtomicInteger(1);
        String polls = "http://127.0.0.1:" + (port + 1);
        try {
            quiet(folder);
            Map<String, String> flags = Map.of(
                    "--data",
                    folder.data().toString(),
                    "--admin-listen",
                    "127.0.0.1:" + port,
                    "--poll-listen",
                    "127.0.0.1:" + (port + 1),
                    "--poll-url",
                    polls);
            ServerSettings settings = ServerSettings.of(SettingSources.read(flags, Map.of(), Optional.empty()));
            List<Identity> fleet = IdentityFile.read(folder.identities());
            try (RunningServer server = RunningServer.start(settings);
                    Simulation simulation = Simulation.start(behaviour(polls, size), fleet, 1)) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndLeave(stop, stopped, exit)));
                folder.began();
                Thread orders = Thread.ofPlatform().daemon().start(() -> new Orders(folder).serve(simulation));
                welcome(folder, size, "http://" + server.admin().orElseThrow(), out);
                stop.await();
                exit.set(0);
                orders.interrupt();
            } finally {
                folder.ended();
            }
        } finally {
            stopped.countDown();
        }
        return 0;
    }

    /** The server's messages go to its log and not to the terminal of the user. */
    private static void quiet(DemoFolder folder) {
        try {
            PrivateFiles.createFolder(folder.root());
            // Open until the process ends.
            Logging.configure(
                    Logging.Form.TEXT,
                    Set.of(),
                    new FileOutputStream(folder.log().toFile(), true));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Settings behaviour(String polls, DemoFolder.Size size) {
        Set<String> silent = DemoCluster.all(size.clusters()).stream()
                .filter(cluster -> cluster.habit() == DemoCluster.Habit.SILENT)
                .map(DemoCluster::id)
                .collect(Collectors.toSet());
        return Settings.of(URI.create(polls), new Settings.Pace.Every(Duration.ofSeconds(size.poll())))
                .ailing(new DemoAilment(), silent);
    }

    /** A signal that stops it is not an error. */
    private static void stopAndLeave(CountDownLatch stop, CountDownLatch stopped, AtomicInteger exit) {
        stop.countDown();
        try {
            if (stopped.await(STOP.toSeconds(), TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(exit.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void welcome(DemoFolder folder, DemoFolder.Size size, String api, PrintWriter out) {
        CliContext context = CliContext.standard(System.getenv(), home());
        String name = running().enter(folder, port);
        boolean current =
                context.write(name, api, DemoFolder.text(folder.adminToken()).strip());
        String called = System.getProperty("homeport.called", "homeport");
        String by = current ? called : called + " --context " + name;
        String asking = name.equals(CliContext.NAME) ? "" : " --context " + name;
        out.println();
        out.println("Homeport runs with " + size.clusters() + " simulated clusters. They poll every " + size.poll()
                + " s and report as Flux does.");
        out.println();
        out.println("  address    " + api + " (clusters poll on port " + (port + 1) + ")");
        out.println("  sign in    with the token in " + folder.adminToken());
        out.println("  CLI        context " + name + " written to " + context.file()
                + (current ? ", and in use" : "; in use is another one"));
        out.println("  log        " + folder.log());
        out.println();
        out.println("In another terminal:");
        Map<String, String> next = new LinkedHashMap<>();
        next.put(by + " get clusters --filter state:failing", "which do not work");
        next.put(by + " findings", "problems that need attention");
        next.put(by + " delivery CLUSTER", "what a cluster says of what it runs, and from where that is known");
        next.put(by + " audit --since 3d", "who changed what, and why");
        next.put(by + " get clusters --watch", "as it happens");
        next.put(called + " demo break 5%" + asking, "and `" + called + " demo heal" + asking + "`");
        int widest = next.keySet().stream().mapToInt(String::length).max().orElse(0);
        next.forEach((command, why) -> out.println("  " + command + " ".repeat(widest - command.length() + 3) + why));
        out.println();
        out.println("Ctrl-C ends it. The next start continues; --fresh starts a new demo.");
        out.println("ready");
        out.flush();
    }

    /** Asks the demo that runs. */
    abstract static class Asking implements Callable<Integer> {
        @picocli.CommandLine.ParentCommand
        DemoCommand demo;

        @Spec
        CommandSpec spec;

        @Option(
                names = "--context",
                paramLabel = "NAME",
                description = "Which demo, by its context, where several run; default demo, or the one started last.")
        @Nullable
        String context;

        private Optional<DemoFolder> meant() {
            if (demo.data != null) {
                return Optional.of(demo.folder())
                        .filter(one -> one.runningProcess().isPresent());
            }
            return context == null ? running().usual() : running().named(context);
        }

        int ask(String order) throws InterruptedException {
            if (demo.data != null && context != null) {
                spec.commandLine().getErr().println("--data and --context both say which demo: leave out one of them");
                return 2;
            }
            Optional<DemoFolder> running = meant();
            if (running.isEmpty()) {
                return refuse(nothingRuns());
            }
            Optional<String> reply = new Orders(running.get()).give(order);
            if (reply.isEmpty()) {
                return refuse("the demo in " + running.get().root() + " does not answer; its log is "
                        + running.get().log());
            }
            spec.commandLine().getOut().println(reply.get());
            return 0;
        }

        private int refuse(String why) {
            spec.commandLine().getErr().println(why);
            return 1;
        }

        private String nothingRuns() {
            Optional<DemoFolder> other = running().usual();
            if (other.isEmpty()) {
                return "no demo runs here: start one with `homeport demo`";
            }
            if (demo.data == null) {
                return "no demo runs whose context is " + context + "; those of the demos that run: "
                        + String.join(", ", running().contexts());
            }
            return "no demo runs in " + demo.folder().root() + ", but one does in "
                    + other.get().root() + ": leave out --data to mean that one";
        }
    }

    @Command(name = "break", description = "Break some clusters of the running demo.", mixinStandardHelpOptions = true)
    static final class Break extends Asking {
        @Parameters(paramLabel = "SHARE", description = "Share of the clusters, such as 5%%.")
        String share;

        @Override
        public Integer call() throws InterruptedException {
            try {
                Orders.share(share);
            } catch (IllegalArgumentException e) {
                spec.commandLine().getErr().println(e.getMessage());
                return 2;
            }
            return ask("break " + share);
        }
    }

    @Command(name = "heal", description = "Repair what `demo break` has broken.", mixinStandardHelpOptions = true)
    static final class Heal extends Asking {
        @Override
        public Integer call() throws InterruptedException {
            return ask("heal");
        }
    }
}
