package dev.homeport.e2e.stack;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Kubernetes cluster with Flux: an API server of its own, and a client for it. */
public final class KubeCluster implements AutoCloseable {
    public static final String NAMESPACE = Flux.NAMESPACE;

    /** The programs of Flux that run for it. */
    public static final List<String> PROGRAMS = Flux.PROGRAMS;

    /** For no longer than this does Flux put off to try again what failed. */
    public static final Duration LONGEST_DELAY = Flux.LONGEST_DELAY;

    private static final String REQUESTED = "reconcile.fluxcd.io/requestedAt";
    private static final List<String> OPERATOR_KINDS =
            List.of("FluxInstance", "ResourceSet", "ResourceSetInputProvider");
    private static final AtomicLong REQUESTS = new AtomicLong(System.currentTimeMillis());

    private final String name;
    private final ControlPlane plane;
    private final KubernetesClient client;
    private final Flux flux;

    private KubeCluster(String name, ControlPlane plane, KubernetesClient client, Flux flux) {
        this.name = name;
        this.plane = plane;
        this.client = client;
        this.flux = flux;
    }

    static KubeCluster start(String name, FluxOptions options) {
        KubeCluster cluster = empty(name, options);
        install(cluster.client, "");
        cluster.flux.controllers();
        cluster.flux.operator();
        return cluster;
    }

    /** Locks Flux's controllers down from now on. */
    public void lockDown() {
        flux.restartControllers(FluxOptions.LOCKDOWN);
    }

    /** Without Flux. */
    static KubeCluster empty(String name, FluxOptions options) {
        Path folder = Folders.RUN.resolve(name);
        ControlPlane plane = ControlPlane.in(folder);
        KubernetesClient client = new KubernetesClientBuilder()
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withConfig(config(plane))
                .build();
        return new KubeCluster(name, plane, client, new Flux(folder, plane.kubeconfig(), options));
    }

    /** Does what the chart of Flux Operator does: its CRDs, its namespace, and the operator itself. */
    public void installOperator() {
        install(client, "flux-operator");
        flux.operator();
    }

    /**
     * Does what a kubelet would do once a FluxInstance has made its Deployments: the controllers run, and Kubernetes says so.
     * They take over the address that events are sent to from its previous owner.
     */
    public void runDeployments(Runnable before) {
        Await.until(
                "the operator has made the Deployments",
                () -> Flux.PROGRAMS.stream()
                        .filter(program -> !program.equals("flux-operator"))
                        .allMatch(program -> client.apps()
                                        .deployments()
                                        .inNamespace(NAMESPACE)
                                        .withName(program)
                                        .get()
                                != null),
                this::describe);
        before.run();
        client.apps().deployments().inNamespace(NAMESPACE).list().getItems().forEach(this::takeLockdown);
        flux.controllers();
        client.apps().deployments().inNamespace(NAMESPACE).list().getItems().forEach(this::available);
    }

    /** What a Deployment says about tenants; the rest of its arguments is for Pods. */
    private void takeLockdown(Deployment deployment) {
        flux.add(
                deployment.getMetadata().getName(),
                deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                        .flatMap(container -> container.getArgs().stream())
                        .filter(argument -> argument.startsWith("--no-cross-namespace-refs")
                                || argument.startsWith("--no-remote-bases")
                                || argument.startsWith("--default-service-account"))
                        .toList());
    }

    private void available(Deployment deployment) {
        client.resource(new DeploymentBuilder(deployment)
                        .withNewStatus()
                        .withObservedGeneration(deployment.getMetadata().getGeneration())
                        .withReplicas(1)
                        .withUpdatedReplicas(1)
                        .withReadyReplicas(1)
                        .withAvailableReplicas(1)
                        .addNewCondition()
                        .withType("Available")
                        .withStatus("True")
                        .withReason("MinimumReplicasAvailable")
                        .withMessage("it runs")
                        .endCondition()
                        .addNewCondition()
                        .withType("Progressing")
                        .withStatus("True")
                        .withReason("NewReplicaSetAvailable")
                        .withMessage("it runs")
                        .endCondition()
                        .endStatus()
                        .build())
                .updateStatus();
    }

    /** Makes the kind ClusterResourceSet known, as on a management cluster. */
    public void knowClusterApi() {
        kubectl(
                "apply",
                "--server-side",
                "-f",
                Folders.CACHE
                        .resolve("cluster-api/addons.cluster.x-k8s.io_clusterresourcesets.yaml")
                        .toString());
        kubectl("wait", "--for=condition=Established", "crd/clusterresourcesets.addons.cluster.x-k8s.io");
    }

    /** Where events are sent to. */
    public String events() {
        return flux.events();
    }

    public Path kubeconfig() {
        return plane.kubeconfig();
    }

    private static Config config(ControlPlane plane) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(plane.url())
                .withCaCertFile(plane.authority().toString())
                .withOauthToken(ControlPlane.TOKEN)
                .withNamespace(NAMESPACE)
                .build();
    }

    private static void install(KubernetesClient client, String of) {
        try (Stream<Path> files = Files.walk(Folders.CACHE.resolve("crds").resolve(of))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    HasMetadata read = client.load(in).items().getFirst();
                    if (read instanceof CustomResourceDefinition definition) {
                        knowOperatorKinds(definition);
                        client.resource(definition).create();
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Await.until(
                "the CRDs are established",
                () -> client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                        .allMatch(definition -> definition.getStatus() != null
                                && definition.getStatus().getConditions() != null
                                && definition.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True"))),
                () -> client.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                        .map(definition -> definition.getMetadata().getName() + ": " + definition.getStatus())
                        .collect(Collectors.joining("\n")));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Lets alerts be about the operator's kinds, as a FluxInstance does; here none can run. */
    private static void knowOperatorKinds(CustomResourceDefinition definition) {
        String field = Map.of("Alert", "eventSources", "Receiver", "resources")
                .get(definition.getSpec().getNames().getKind());
        if (field == null) {
            return;
        }
        definition.getSpec().getVersions().forEach(version -> {
            var kinds = version.getSchema()
                    .getOpenAPIV3Schema()
                    .getProperties()
                    .get("spec")
                    .getProperties()
                    .get(field)
                    .getItems()
                    .getSchema()
                    .getProperties()
                    .get("kind")
                    .getEnum();
            OPERATOR_KINDS.forEach(kind -> kinds.add(com.fasterxml.jackson.databind.node.TextNode.valueOf(kind)));
        });
    }

    public KubernetesClient client() {
        return client;
    }

    /** Addresses that are inside the cluster where there is a network of its own: API server, events, artifacts. */
    public List<String> insideAddresses() {
        return Stream.of(plane.url(), flux.events(), flux.artifacts())
                .map(address -> address.replaceAll("^https?://|/$", ""))
                .toList();
    }

    long pid(String controller) {
        return flux.pid(controller);
    }

    /** Applies manifests with kubectl, as the documentation says. */
    public void apply(String manifests) {
        Path file = Folders.RUN.resolve(name).resolve("applied-" + REQUESTS.incrementAndGet() + ".yaml");
        try {
            Files.writeString(file, manifests);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        kubectl("apply", "-f", file.toString());
    }

    public void kubectl(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Folders.program("kubectl")));
        command.addAll(List.of(arguments));
        Daemon.start(
                        "kubectl",
                        Folders.RUN.resolve(name),
                        // What it remembers of a server goes by the port, which another server may have had before.
                        Map.of(
                                "KUBECONFIG",
                                plane.kubeconfig().toString(),
                                "KUBECACHEDIR",
                                Folders.RUN
                                        .resolve(name)
                                        .resolve("kubectl-cache")
                                        .toString()),
                        command)
                .awaitEnd();
    }

    /** Objects of a kind of Flux's, or of Kubernetes', in all namespaces. */
    public List<GenericKubernetesResource> list(Kind kind) {
        return client.genericKubernetesResources(kind.apiVersion(), kind.name())
                .inAnyNamespace()
                .list()
                .getItems();
    }

    public Optional<GenericKubernetesResource> find(Kind kind, String namespace, String object) {
        var all = client.genericKubernetesResources(kind.apiVersion(), kind.name());
        return Optional.ofNullable(
                namespace.isEmpty()
                        ? all.withName(object).get()
                        : all.inNamespace(namespace).withName(object).get());
    }

    public Optional<GenericKubernetesResource> find(Kind kind, String object) {
        return find(kind, NAMESPACE, object);
    }

    public GenericKubernetesResource await(Kind kind, String namespace, String object) {
        return Await.value(kind + " " + object + " exists", () -> find(kind, namespace, object), this::describe);
    }

    /** Waits until an object of Flux's is ready, and has seen its own latest form. */
    public GenericKubernetesResource awaitReady(Kind kind, String object) {
        return Await.value(
                kind + " " + object + " is ready",
                () -> find(kind, NAMESPACE, object).filter(found -> Conditions.isReady(found)),
                this::describe);
    }

    /**
     * Waits until each object of a kind was seen to be so; while Flux works on one, it is neither so nor otherwise. Witness sets
     * are left out: they wait whenever they have something to report, and each new question is a new set.
     */
    public void awaitEach(Kind kind, String what, Predicate<GenericKubernetesResource> so) {
        for (GenericKubernetesResource object : list(kind)) {
            if (isWitness(object)) {
                continue;
            }
            String called = object.getMetadata().getName();
            Await.until(
                    kind + " " + called + " " + what,
                    () -> find(kind, NAMESPACE, called).filter(so).isPresent(),
                    this::describe);
        }
    }

    public void awaitEachReady(Kind kind) {
        awaitEach(kind, "is ready", Conditions::isReady);
    }

    /** Waits until each provider was refused with this status. */
    public void awaitEachRefused(int status) {
        awaitEach(
                Kind.PROVIDER,
                "was answered " + status,
                provider -> Conditions.message(provider).endsWith("returned HTTP " + status));
    }

    /** Makes Flux look at an object now, and waits until it has done so. */
    public GenericKubernetesResource reconcile(Kind kind, String object) {
        return awaitHandled(kind, object, request(kind, object));
    }

    /**
     * Every provider polls, then every set that is fed by one is rendered again, whatever comes of it.
     *
     * @return the providers, with what came of it
     */
    public List<GenericKubernetesResource> reconcileEverything() {
        List<GenericKubernetesResource> providers = new ArrayList<>();
        for (Kind kind : List.of(Kind.PROVIDER, Kind.RESOURCE_SET)) {
            Map<String, String> requests = new TreeMap<>();
            for (GenericKubernetesResource object : list(kind)) {
                if (kind.equals(Kind.PROVIDER) || object.get("spec", "inputsFrom") != null) {
                    String called = object.getMetadata().getName();
                    requests.put(called, request(kind, called));
                }
            }
            requests.forEach((object, request) -> {
                GenericKubernetesResource handled = awaitHandled(kind, object, request);
                if (kind.equals(Kind.PROVIDER)) {
                    providers.add(handled);
                }
            });
        }
        return providers;
    }

    private String request(Kind kind, String object) {
        String request = Long.toString(REQUESTS.incrementAndGet());
        client.genericKubernetesResources(kind.apiVersion(), kind.name())
                .inNamespace(NAMESPACE)
                .withName(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + REQUESTED + "\":\"" + request + "\"}}}");
        return request;
    }

    private GenericKubernetesResource awaitHandled(Kind kind, String object, String request) {
        return Await.value(
                kind + " " + object + " was looked at",
                () -> find(kind, NAMESPACE, object)
                        .filter(found -> request.equals(found.get("status", "lastHandledReconcileAt"))
                                && !Conditions.ready(found).equals("Unknown")),
                this::describe);
    }

    /** Everything that could be deleted by mistake: object to uid. Two equal ones: nothing was deleted or created again. */
    public Map<String, String> belongings() {
        return belongings(delivered());
    }

    /**
     * The same, when Flux is done with what was asked before: every set is ready and nothing is on its way out. Otherwise
     * what is compared with it later may differ for a reason of the past.
     */
    public Map<String, String> settledBelongings() {
        AtomicReference<List<String>> inMotion = new AtomicReference<>(List.of());
        return Await.value(
                "every set is ready and nothing is on its way out",
                () -> {
                    Map<Kind, List<GenericKubernetesResource>> all = delivered();
                    inMotion.set(inMotion(all));
                    return inMotion.get().isEmpty() ? Optional.of(belongings(all)) : Optional.empty();
                },
                () -> String.join("\n", inMotion.get()));
    }

    private Map<Kind, List<GenericKubernetesResource>> delivered() {
        Map<Kind, List<GenericKubernetesResource>> all = new LinkedHashMap<>();
        Kind.DELIVERED.forEach(kind -> all.put(
                kind, list(kind).stream().filter(object -> !isWitness(object)).toList()));
        return all;
    }

    /** They own nothing, and come and go with what is known of the cluster. */
    private static boolean isWitness(GenericKubernetesResource object) {
        return object.getMetadata().getName().startsWith("homeport-witness-");
    }

    private static List<String> inMotion(Map<Kind, List<GenericKubernetesResource>> all) {
        List<String> found = new ArrayList<>();
        all.forEach((kind, objects) -> objects.forEach(object -> {
            String called = kind + " " + object.getMetadata().getName();
            if (object.getMetadata().getDeletionTimestamp() != null) {
                found.add(called + " is being deleted");
            } else if (kind.equals(Kind.RESOURCE_SET) && !Conditions.isReady(object)) {
                found.add(called + ": " + Conditions.describe(object));
            }
        }));
        return found;
    }

    private static Map<String, String> belongings(Map<Kind, List<GenericKubernetesResource>> all) {
        Map<String, String> found = new TreeMap<>();
        all.forEach((kind, objects) -> objects.stream()
                .filter(object -> !isOfKubernetes(object))
                .forEach(object -> found.put(
                        "%s %s/%s"
                                .formatted(
                                        kind.name(),
                                        Optional.ofNullable(object.getMetadata().getNamespace())
                                                .orElse(""),
                                        object.getMetadata().getName()),
                        object.getMetadata().getUid())));
        return found;
    }

    private static boolean isOfKubernetes(GenericKubernetesResource object) {
        String called = object.getMetadata().getName();
        return called.startsWith("system:")
                || called.startsWith("kube-")
                || called.equals("default")
                || called.startsWith("extension-apiserver-");
    }

    /** What Flux says of its objects, for messages: what is not ready first, as the end of a message may be cut off. */
    public String describe() {
        List<String> ready = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Kind kind : Kind.OF_FLUX) {
            for (GenericKubernetesResource object : list(kind)) {
                (Conditions.isReady(object) ? ready : others)
                        .add("  %s %s: %s"
                                .formatted(kind.name(), object.getMetadata().getName(), Conditions.describe(object)));
            }
        }
        others.addAll(ready);
        return "cluster " + name + ":\n" + String.join("\n", others) + "\n";
    }

    /** The operator goes away and a new one comes. */
    public void restartOperator() {
        flux.killOperator();
        flux.operator();
    }

    @Override
    public void close() {
        flux.close();
        client.close();
        plane.close();
    }

    @Override
    public String toString() {
        return name.toLowerCase(Locale.ROOT);
    }
}
