package dev.homeport.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.homeport.e2e.stack.Folders;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The chart as Helm renders it: a real API server takes it, with its pods held to the restricted standard. */
@ResourceLock(value = Stack.EMBEDDED, mode = ResourceAccessMode.READ)
@ResourceLock(value = Stack.FIRST, mode = ResourceAccessMode.READ)
class ChartTest {
    private static final Path CHART = Folders.ROOT.resolve("deploy/chart");
    private static final String NAMESPACE = "chart";
    private static final String SERVICE_MONITORS = "servicemonitors.monitoring.coreos.com";

    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final KubeCluster CLUSTER = Stack.first();

    @TempDir
    Path folder;

    private record Ran(int exit, String said) {}

    @BeforeAll
    static void prepare() {
        CLUSTER.kubectl("create", "namespace", NAMESPACE);
        CLUSTER.kubectl("label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted");
        CLUSTER.kubectl("create", "-f", Folders.data("chart-crds").toString());
        CLUSTER.kubectl("wait", "--for=condition=established", "crd/" + SERVICE_MONITORS, "--timeout=60s");
    }

    @AfterAll
    static void tidy() {
        CLUSTER.kubectl("delete", "crd", SERVICE_MONITORS);
        CLUSTER.kubectl("delete", "namespace", NAMESPACE);
    }

    private static Ran helm(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(Folders.program("helm")));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("KUBECONFIG");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), said);
    }

    private static String rendered(Path values) throws Exception {
        return rendered("fleet", values);
    }

    private static String rendered(String release, Path values, String... set) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "template", release, CHART.toString(), "--namespace", NAMESPACE, "--values", values.toString()));
        List.of(set).forEach(one -> words.addAll(List.of("--set", one)));
        Ran ran = helm(words.toArray(String[]::new));
        assertThat(ran.exit()).as(ran.said()).isZero();
        return ran.said();
    }

    private static List<HasMetadata> objects(String manifests) {
        Object read = YAML.unmarshal(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)));
        return read instanceof List<?> list
                ? list.stream().map(HasMetadata.class::cast).toList()
                : List.of((HasMetadata) read);
    }

    @Test
    void aRealApiServerTakesWhatIsRendered() throws Exception {
        List<Path> examples;
        try (Stream<Path> files = Files.list(CHART.resolve("ci"))) {
            examples = files.sorted().toList();
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(3);
        for (Path values : examples) {
            Ran lint = helm("lint", "--strict", CHART.toString(), "--values", values.toString());
            assertThat(lint.exit()).as(lint.said()).isZero();
            String manifests = rendered(values);
            accepted(values, manifests);
            accepted(
                    values,
                    objects(manifests).stream()
                            .filter(Deployment.class::isInstance)
                            .map(object -> pod((Deployment) object))
                            .map(YAML::asYaml)
                            .collect(Collectors.joining("---\n")));
        }
    }

    /** What Helm allows as a release's name is more than what YAML reads as text and a service may be called. */
    @Test
    void anyNameOfAReleaseWillDo() throws Exception {
        Path values = CHART.resolve("ci/sqlite.yaml");
        for (String release : List.of("123", "true", "a.b", "9-" + "x".repeat(51))) {
            accepted(values, rendered(release, values));
        }
    }

    @Test
    void whatIsSetArrivesAsItWasWritten() throws Exception {
        List<HasMetadata> objects = objects(rendered(CHART.resolve("ci/postgresql.yaml")));
        Map<String, PodSpec> pods = objects.stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .collect(Collectors.toMap(
                        one -> one.getMetadata().getName(),
                        one -> one.getSpec().getTemplate().getSpec()));
        PodSpec polls = pods.get("fleet-polls");
        assertThat(polls.getContainers().getFirst().getEnv())
                .anySatisfy(variable -> assertThat(variable.getName() + "=" + variable.getValue())
                        .isEqualTo("HOMEPORT_POLL_RATE=1000000"));
        assertThat(polls.getContainers().getFirst().getImage())
                .as("the read-only servers are upgraded first")
                .endsWith(":0.2.0");
        assertThat(pods.get("fleet").getContainers().getFirst().getImage()).contains("@sha256:");
        assertThat(polls.getVolumes()).anyMatch(volume -> volume.getName().equals("oidc"));
    }

    /** The pod of {@code helm test} is let in, and out: the policy for servers is not for it. */
    @Test
    void theTestPodReachesTheServers() throws Exception {
        List<HasMetadata> objects = objects(rendered(CHART.resolve("ci/postgresql.yaml")));
        NetworkPolicy policy = objects.stream()
                .filter(NetworkPolicy.class::isInstance)
                .map(NetworkPolicy.class::cast)
                .findFirst()
                .orElseThrow();
        Map<String, String> test = objects.stream()
                .filter(Pod.class::isInstance)
                .map(pod -> pod.getMetadata().getLabels())
                .findFirst()
                .orElseThrow();
        assertThat(test.entrySet())
                .doesNotContainAnyElementsOf(List.of(Map.entry("app.kubernetes.io/name", "homeport")));
        assertThat(policy.getSpec().getIngress().stream()
                        .flatMap(rule -> rule.getFrom().stream())
                        .filter(peer -> peer.getPodSelector() != null)
                        .map(peer -> peer.getPodSelector().getMatchLabels()))
                .contains(test);
        assertThat(policy.getSpec().getEgress().stream()
                        .flatMap(rule -> rule.getPorts().stream())
                        .map(port -> port.getPort().getIntVal()))
                .as("DNS, traces, the identity provider, and what else was asked for")
                .containsExactlyInAnyOrder(53, 53, 4318, 443, 8443);
    }

    /** Prometheus finds a server by an endpoint of the monitor, a service with a port of that name, and pods behind that. */
    @Test
    void theMetricsOfEveryServerAreRead() throws Exception {
        assertThat(monitored("ci/postgresql.yaml")).containsExactlyInAnyOrder("fleet:admin", "fleet-polls:poll");
        assertThat(monitored("ci/sqlite.yaml", "serviceMonitor.enabled=true", "serviceMonitor.tokenExistingSecret=t"))
                .as("where it writes, it has them on the admin plane alone")
                .containsExactly("fleet:admin");
    }

    private static List<String> monitored(String values, String... set) throws Exception {
        List<HasMetadata> objects = objects(rendered("fleet", CHART.resolve(values), set));
        GenericKubernetesResource monitor =
                only(objects, GenericKubernetesResource.class).getFirst();
        Map<String, String> services = monitor.get("spec", "selector", "matchLabels");
        List<Map<String, Object>> endpoints = monitor.get("spec", "endpoints");
        List<String> found = new ArrayList<>();
        for (Map<String, Object> endpoint : endpoints) {
            for (Service service : only(objects, Service.class)) {
                if (!matches(services, service.getMetadata().getLabels())) {
                    continue;
                }
                for (ServicePort port : service.getSpec().getPorts()) {
                    if (!port.getName().equals(endpoint.get("port"))) {
                        continue;
                    }
                    only(objects, Deployment.class).stream()
                            .filter(one -> matches(
                                    service.getSpec().getSelector(),
                                    one.getSpec().getTemplate().getMetadata().getLabels()))
                            .forEach(one -> found.add(one.getMetadata().getName() + ":"
                                    + port.getTargetPort().getStrVal()));
                }
            }
        }
        return found;
    }

    private static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }

    private static <T> List<T> only(List<HasMetadata> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void accepted(Path values, String manifests) throws IOException {
        Path file = Files.writeString(folder.resolve(values.getFileName().toString()), manifests);
        CLUSTER.kubectl("apply", "--dry-run=server", "--namespace", NAMESPACE, "-f", file.toString());
    }

    /** As the Deployment would make it; the namespace's standard is enforced on pods alone. */
    private static Pod pod(Deployment deployment) {
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        return new PodBuilder()
                .withNewMetadata()
                .withName(deployment.getMetadata().getName() + "-pod")
                .withLabels(template.getMetadata().getLabels())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }

    @Test
    void aPodThatMayMoreIsNotTaken() throws Exception {
        Deployment deployment = objects(rendered(CHART.resolve("ci/sqlite.yaml"))).stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .findFirst()
                .orElseThrow();
        Pod pod = pod(deployment);
        pod.getSpec().getSecurityContext().setRunAsNonRoot(false);
        Path file = Files.writeString(folder.resolve("pod.yaml"), YAML.asYaml(pod));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() ->
                        CLUSTER.kubectl("apply", "--dry-run=server", "--namespace", NAMESPACE, "-f", file.toString())))
                .as("the standard is enforced here, so the other test means something")
                .hasMessageContaining("runAsNonRoot");
    }

    @Test
    void whatCannotWorkIsRefusedWithWhatToDo() throws Exception {
        String tls = "tls.existingSecret=t";
        Map<List<String>, String> refused = Map.ofEntries(
                Map.entry(List.of(tls, "readOnly.replicas=2"), "readOnly.replicas needs store.kind: postgresql"),
                Map.entry(List.of(), "tls.plainHttp: true where something in front ends TLS"),
                Map.entry(List.of(tls, "store.kind=postgresql"), "store.postgresql.existingSecret is missing"),
                Map.entry(
                        List.of(tls, "store.kind=postgresql", "store.postgresql.existingSecret=d"),
                        "masterKey.existingSecret is missing"),
                Map.entry(List.of(tls, "store.postgresql.existingSecret=d"), "store.kind is sqlite"),
                Map.entry(List.of(tls, "serviceMonitor.enabled=true"), "serviceMonitor.tokenExistingSecret is missing"),
                Map.entry(List.of(tls, "settings.tls_key=x"), "settings.tls_key is not for here"),
                Map.entry(
                        List.of(tls, "settings.pol_rate=1"),
                        "'/settings': additional properties 'pol_rate' not allowed"),
                Map.entry(List.of("tls.plainHttp=true", "tls.clientCaExistingSecret=c"), "needs tls.existingSecret"),
                Map.entry(List.of(tls, "readonly.replicas=2"), "additional properties 'readonly' not allowed"),
                Map.entry(List.of(tls, "store.kind=mysql"), "/store/kind"));
        for (Map.Entry<List<String>, String> one : refused.entrySet()) {
            List<String> words = new ArrayList<>(List.of("template", "fleet", CHART.toString()));
            one.getKey().forEach(set -> words.addAll(List.of("--set", set)));
            Ran ran = helm(words.toArray(String[]::new));
            assertThat(ran.exit()).as(one.getKey().toString()).isNotZero();
            assertThat(ran.said()).contains(one.getValue());
        }
    }

    /** Another chart: that with which a cluster begins to phone home. */
    @Test
    void theManifestsOfAClusterAsAChartAreTakenToo() throws Exception {
        Homeport homeport = Stack.embedded();
        homeport.create("clusters", "chart-1", """
                {"cluster_name": "chart-1", "cluster_dns": "chart-1.k8s.example.com", "environment": "dev", "owner": "t"}""");
        String chart = folder.resolve("phone-home").toString();
        homeport.cli("bootstrap", "chart-1", "--url", homeport.pollUrl(), "--format", "helm", "--into", chart);
        Ran ran = helm("template", "homeport", chart, "--namespace", "flux-system");
        assertThat(ran.exit()).as(ran.said()).isZero();
        assertThat(ran.said()).contains("kind: \"ResourceSet\"", "kind: \"Secret\"", "<<");
        Path file = Files.writeString(folder.resolve("phone-home.yaml"), ran.said());
        CLUSTER.kubectl("apply", "--dry-run=server", "-f", file.toString());
    }

    /** Which setting a variable sets is the server's to know, so the server is asked. */
    @Test
    void everyVariableOfTheChartIsASettingOfTheServer() throws Exception {
        List<String> names = objects(rendered(CHART.resolve("ci/postgresql.yaml"))).stream()
                .filter(Deployment.class::isInstance)
                .flatMap(object -> ((Deployment) object).getSpec().getTemplate().getSpec().getContainers().stream())
                .flatMap(container -> container.getEnv().stream())
                .map(variable -> variable.getName())
                .filter(name -> name.startsWith("HOMEPORT_"))
                .distinct()
                .toList();
        assertThat(names).contains("HOMEPORT_MODE", "HOMEPORT_DATABASE_URL", "HOMEPORT_TLS_CLIENT_CA");
        ProcessBuilder builder =
                new ProcessBuilder(Folders.ROOT.resolve("homeport").toString(), "serve", "--print-config");
        names.forEach(name -> builder.environment().put(name, "x"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("HOMEPORT_AOT", "off");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String known = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(names).allSatisfy(name -> assertThat(known).contains("# " + name + "\n"));
    }
}
