package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Ports;
import dev.homeport.e2e.stack.Stack;
import dev.homeport.e2e.stack.Walkthrough;
import dev.homeport.testing.OutsideIn;
import dev.homeport.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * What docs/howto/adopt-a-cluster.md tells a reader to type, typed. There are no containers here: the cluster is an empty API
 * server, what Helm would install is installed by the test, and for the Deployments of the FluxInstance the controllers run
 * as processes.
 */
@OutsideIn
@Order(2)
class AdoptionPageTest {
    private static final String PAGE = "adopt-a-cluster.md";
    private static final Pattern LOGIN = Pattern.compile("`(homeport login [^`]+)`");
    private static final Kind FLUX_INSTANCE = new Kind("fluxcd.controlplane.io/v1", "FluxInstance");
    private static final Pattern TOKEN = Pattern.compile("admin token.* (\\S+)");
    private static final String CHART = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: podinfo, namespace: {{ .Release.Namespace }}}
            """;

    @Test
    @Requirement("C1")
    @Requirement(value = "C4", part = "one page for all")
    void aStrangerAdoptsAClusterWordByWord() throws Exception {
        Stack.registry().chart("stefanprodan/charts/podinfo", "6.9.2", Map.of("templates/podinfo.yaml", CHART));
        try (KubeCluster cluster = Stack.empty("kind");
                Walkthrough reader = new Walkthrough("reader", cluster)) {
            reader.standIn("kind", "[ \"$*\" = 'create cluster --name first' ]");
            reader.standIn("docker", "[ \"$1 $2 $3\" = 'network inspect kind' ] && echo 'fc00::1 127.0.0.1 '");
            reader.standIn("helm", """
                    [ "$1 $2" = 'install flux-operator' ]
                    touch asked-helm
                    while [ ! -e helm-has-done-it ]; do
                      if [ -e helm-has-failed ]; then cat helm-has-failed >&2; exit 1; fi
                      sleep 0.1
                    done
                    """);
            UnaryOperator<String> here = here();
            List<String> blocks = Walkthrough.blocks(PAGE, "Try it with kind").stream()
                    .map(here)
                    .toList();
            assertThat(blocks).hasSize(5);

            String server = blocks.get(0) + blocks.get(1).replace("homeport serve", "exec homeport serve");
            String printed = reader.leaveRunning(server, TOKEN);
            String token = printed.substring(printed.lastIndexOf(' ') + 1);
            // The page's command asks at a terminal; the test has none.
            reader.type(here.apply(Walkthrough.phrase(PAGE, LOGIN)) + " --token-stdin", token + "\n");
            reader.type(blocks.get(2), "");
            CompletableFuture<Void> helm = CompletableFuture.runAsync(() -> {
                try {
                    install(cluster, reader);
                } catch (RuntimeException | AssertionError e) {
                    reader.write("helm-has-failed", e.toString());
                    throw e;
                }
            });
            assertThat(reader.type(blocks.get(3), "")).contains("homeport-types");
            helm.join();
            cluster.awaitReady(FLUX_INSTANCE, "flux");
            cluster.awaitReady(Kind.RESOURCE_SET, "homeport-feedback");
            cluster.awaitReady(Kind.RESOURCE_SET, "homeport-operator");
            assertThat(cluster.client()
                            .apps()
                            .deployments()
                            .inNamespace(KubeCluster.NAMESPACE)
                            .withName("helm-controller")
                            .get()
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .getArgs())
                    .as("the FluxInstance locks Flux down, and all that follows works nevertheless")
                    .anyMatch(argument -> argument.startsWith("--default-service-account"));
            assertThat(cluster.find(Kind.ALERT, "homeport-operator"))
                    .as("with a FluxInstance, Flux lets alerts be about the operator's own kinds")
                    .isPresent();
            cluster.await(Kind.NAMESPACE, "", "team-a");
            cluster.awaitReady(Kind.HELM_RELEASE, "c-podinfo");
            cluster.await(Kind.CONFIG_MAP, "podinfo", "podinfo");
            assertThat(reader.type("./homeport get cluster/first -o yaml", "")).contains("last_polled_at: ");

            assertThat(reader.type(blocks.get(4), "")).contains("podinfo");
            Await.holds(
                    "the cluster reported that the change has arrived",
                    () -> assertThat(reader.type("./homeport get cluster/first -o yaml", ""))
                            .contains("reporting: true", "state: \"in-sync\""));
        }
    }

    /** The page's words with ports and a registry that are here. */
    private static UnaryOperator<String> here() {
        String poll = Integer.toString(Ports.free());
        String admin = Integer.toString(Ports.free());
        return block -> block.replace("8443", poll)
                .replace("8080", admin)
                .replace(
                        "oci://ghcr.io/stefanprodan/charts/podinfo",
                        Stack.registry().url("stefanprodan/charts/podinfo"));
    }

    private static void install(KubeCluster cluster, Walkthrough reader) {
        try {
            Await.until("helm is asked to install the operator", () -> Files.exists(reader.file("asked-helm")));
            // Until Flux runs, the test must accept the operator's events: each one that is not accepted delays it by
            // 15 s.
            URI events = URI.create(cluster.events());
            HttpServer sink = HttpServer.create(new InetSocketAddress(events.getHost(), events.getPort()), 0);
            sink.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            sink.start();
            cluster.installOperator();
            Files.createFile(reader.file("helm-has-done-it"));
            cluster.runDeployments(() -> sink.stop(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
