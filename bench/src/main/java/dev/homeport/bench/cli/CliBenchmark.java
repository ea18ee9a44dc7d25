package dev.homeport.bench.cli;

import dev.homeport.bench.Benchmark;
import dev.homeport.bench.Goal;
import dev.homeport.bench.Isolated;
import dev.homeport.bench.Percentiles;
import dev.homeport.bench.Report;
import dev.homeport.bench.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code homeport get clusters -o name} beside {@code kubectl get namespaces -o name}: both over TLS on loopback, in turn. */
public final class CliBenchmark implements Benchmark {
    private static final int WARM_UP = 3;
    private static final int RUNS = 20;
    private static final double GOAL = 1.5;

    private final Path root = Path.of(System.getProperty("homeport.root", "."));

    @Override
    public String name() {
        return "cli";
    }

    @Override
    public String summary() {
        return "homeport get clusters against kubectl get namespaces, from the start of the process to its end";
    }

    @Override
    public void run(List<String> args, Report report) throws Exception {
        Path tools = tools();
        Path folder = Files.createTempDirectory("homeport-bench-cli");
        try (Children children = new Children(folder)) {
            String kubectl = Files.isExecutable(tools.resolve("kubectl"))
                    ? tools.resolve("kubectl").toString()
                    : "kubectl";
            Map<String, String> variables = variables(folder);
            List<String> theirs = kubernetes(children, folder, tools, kubectl);
            List<String> ours = homeport(children, folder, variables);
            measure(report, ours, theirs, variables);
        }
    }

    private static Path tools() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path tools = base.resolve("homeport").resolve("e2e").resolve("bin");
        if (!Files.isExecutable(tools.resolve("kube-apiserver")) || !Files.isExecutable(tools.resolve("etcd"))) {
            throw new IllegalStateException("there is no kube-apiserver in " + tools + "; ./e2e/build makes it");
        }
        return tools;
    }

    private static Map<String, String> variables(Path folder) {
        Map<String, String> variables = new HashMap<>();
        variables.put("HOMEPORT_KEYRING", "off");
        variables.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        variables.put("HOME", folder.toString());
        return variables;
    }

    private static List<String> kubernetes(Children children, Path folder, Path tools, String kubectl)
            throws Exception {
        int store = Children.freePort();
        int peer = Children.freePort();
        int port = Children.freePort();
        String url = "http://127.0.0.1:" + store;
        children.start(
                "etcd",
                Map.of(),
                List.of(
                        tools.resolve("etcd").toString(),
                        "--data-dir=" + folder.resolve("etcd"),
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=http://127.0.0.1:" + peer,
                        "--unsafe-no-fsync"));
        Path key = key(folder);
        Path tokens = Files.writeString(folder.resolve("tokens.csv"), "bench-token,bench,1,\"system:masters\"\n");
        children.start(
                "kube-apiserver",
                Map.of(),
                List.of(
                        tools.resolve("kube-apiserver").toString(),
                        "--etcd-servers=" + url,
                        "--cert-dir=" + folder.resolve("certs"),
                        "--bind-address=127.0.0.1",
                        "--advertise-address=127.0.0.1",
                        "--secure-port=" + port,
                        "--service-cluster-ip-range=10.0.0.0/24",
                        "--service-account-issuer=https://127.0.0.1:" + port,
                        "--service-account-key-file=" + key,
                        "--service-account-signing-key-file=" + key,
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=RBAC"));
        Path config = Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: b, cluster: {server: "https://127.0.0.1:%d", certificate-authority: %s}}]
                users: [{name: b, user: {token: bench-token}}]
                contexts: [{name: b, context: {cluster: b, user: b}}]
                current-context: b
                """.formatted(port, folder.resolve("certs/apiserver.crt")));
        List<String> command = List.of(kubectl, "--kubeconfig=" + config, "get", "namespaces", "-o", "name");
        children.await("kube-apiserver", () -> ends(command, variables(folder)));
        return command;
    }

    private static Path key(Path folder) throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        return Files.writeString(
                folder.resolve("service-accounts.key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(pair.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
    }

    /** With the same certificate, so that both sides verify the same. */
    private List<String> homeport(Children children, Path folder, Map<String, String> variables) throws Exception {
        String command = root.resolve("homeport").toString();
        int port = Children.freePort();
        children.start(
                "homeport",
                Map.of(),
                List.of(
                        command,
                        "serve",
                        "--data",
                        folder.resolve("data").toString(),
                        "--admin-listen",
                        "127.0.0.1:" + port,
                        "--poll-listen",
                        "",
                        "--tls-certificate",
                        folder.resolve("certs/apiserver.crt").toString(),
                        "--tls-key",
                        folder.resolve("certs/apiserver.key").toString()));
        children.await("homeport", () -> children.said("homeport").contains("\nready"));
        String token = children.said("homeport")
                .lines()
                .filter(line -> line.contains("admin token"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
        Map<String, String> signIn = new HashMap<>(variables);
        signIn.put("HOMEPORT_TOKEN", token);
        require(
                List.of(
                        command,
                        "login",
                        "https://127.0.0.1:" + port,
                        "--ca",
                        folder.resolve("certs/apiserver.crt").toString()),
                signIn);
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            require(List.of(command, "adopt", name, "--env", "dev", "--owner", "bench"), variables);
        }
        return List.of(command, "get", "clusters", "-o", "name");
    }

    private static void measure(Report report, List<String> ours, List<String> theirs, Map<String, String> variables)
            throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            require(ours, variables);
            require(theirs, variables);
        }
        Times our = new Times();
        Times their = new Times();
        for (int i = 0; i < RUNS; i++) {
            our.take(i, ours, variables);
            their.take(i, theirs, variables);
        }
        Table table = new Table("command", "median ms", "p90 ms", "processor ms");
        our.row(table, report, "homeport get clusters -o name");
        their.row(table, report, "kubectl get namespaces -o name");
        System.out.print(table);
        report.goal(
                "times as long as kubectl",
                new Percentiles(our.wall).millis(0.5) / new Percentiles(their.wall).millis(0.5),
                Goal.Bound.AT_MOST,
                GOAL);
    }

    /** How long runs of one command took, and how much processor time. */
    private static final class Times {
        private final long[] wall = new long[RUNS];
        private final long[] processor = new long[RUNS];

        /** Timed by the shell, because only the parent can read the processor time of a process that has ended. */
        void take(int run, List<String> command, Map<String, String> variables) throws Exception {
            List<String> timed = new ArrayList<>(List.of(
                    "bash", "-c", "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>/dev/null || exit 1", "bash"));
            timed.addAll(command);
            Process process = started(timed, variables);
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + " failed");
            }
            String[] seconds = said.replace(',', '.').split(" ", -1);
            wall[run] = nanos(seconds[0]);
            processor[run] = nanos(seconds[1]) + nanos(seconds[2]);
        }

        private static long nanos(String seconds) {
            return Math.round(Double.parseDouble(seconds) * 1e9);
        }

        void row(Table table, Report report, String command) {
            Percentiles times = new Percentiles(wall);
            double cpu = new Percentiles(processor).millis(0.5);
            table.row(command, Math.round(times.millis(0.5)), Math.round(times.millis(0.9)), Math.round(cpu));
            report.figures(Map.of(
                    "command",
                    command,
                    "median_ms",
                    times.millis(0.5),
                    "p90_ms",
                    times.millis(0.9),
                    "processor_ms",
                    cpu));
        }
    }

    private static void require(List<String> command, Map<String, String> variables) throws Exception {
        Process process = started(command, variables);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " failed: " + said);
        }
    }

    private static boolean ends(List<String> command, Map<String, String> variables) {
        try {
            Process process = started(command, variables);
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException e) {
            throw new IllegalStateException(command.getFirst() + " cannot be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Process started(List<String> command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = Isolated.process(command);
        builder.environment().putAll(variables);
        return builder.redirectErrorStream(true).start();
    }
}
