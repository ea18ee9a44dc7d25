package dev.homeport.e2e;

import dev.homeport.e2e.stack.Await;
import dev.homeport.e2e.stack.ClusterAuthority;
import dev.homeport.e2e.stack.Conditions;
import dev.homeport.e2e.stack.Homeport;
import dev.homeport.e2e.stack.Kind;
import dev.homeport.e2e.stack.KubeCluster;
import dev.homeport.e2e.stack.Stack;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A cluster that Homeport manages: both sides of it. Tests have components and namespaces of their own in it. */
final class Managed {
    static final List<String> TYPES = List.of("namespaces", "platform-components", "rolebindings");

    /** The lock of those who look at the state of the first cluster as a whole, which any failing component changes. */
    static final String STATE = "state";

    private static final String CERTIFICATE = "homeport-client";
    private static final JsonMapper JSON = JsonMapper.shared();

    final Homeport homeport;
    final KubeCluster kube;
    final String id;
    private final String url;

    private final Map<String, Map<String, ObjectNode>> refs = new TreeMap<>();

    private Managed(Homeport homeport, KubeCluster kube, String id, String environment, String url) {
        this.homeport = homeport;
        this.kube = kube;
        this.id = id;
        this.url = url;
        homeport.create("clusters", id, """
                {"cluster_name": "%1$s", "cluster_dns": "%2$s", "environment": "%3$s", "owner": "team-a",
                 "poll_interval": "2s"}""".formatted(id, dns(), environment));
    }

    /** A cluster of the tier dev, whose Homeport is on the embedded store behind a gateway. */
    static Managed first() {
        return First.IT;
    }

    /**
     * A cluster of the last tier, of the same Homeport, which it speaks to directly, with a certificate and no token. Its Flux
     * is locked down.
     */
    static Managed second() {
        return Second.IT;
    }

    /** A cluster whose Homeport is on PostgreSQL. */
    static Managed onPostgres() {
        return Third.IT;
    }

    /** A cluster of the embedded Homeport on which equal events are dropped for five minutes, as they are by default. */
    static Managed atDefaultLimit() {
        return Fourth.IT;
    }

    private static final class First {
        static final Managed IT = new Managed(
                        Stack.embedded(),
                        Stack.first(),
                        "eu-dev-1",
                        "dev",
                        Stack.gateway().url())
                .adopted();
    }

    private static final class Second {
        static final Managed IT = new Managed(
                        Stack.embedded(),
                        Stack.second(),
                        "eu-prod-1",
                        "prod",
                        Stack.embedded().pollUrl())
                .adoptedWithCertificate();
    }

    private static final class Third {
        static final Managed IT = new Managed(
                        Stack.onPostgres(),
                        Stack.third(),
                        "us-prod-1",
                        "prod",
                        Stack.onPostgres().pollUrl())
                .adopted();
    }

    private static final class Fourth {
        static final Managed IT = new Managed(
                        Stack.embedded(),
                        Stack.fourth(),
                        "eu-dev-2",
                        "dev",
                        Stack.embedded().pollUrl())
                .adopted();
    }

    String dns() {
        return id + ".k8s.example.com";
    }

    private Managed adopted() {
        return adopted("--ca", Stack.pki().certificate().toString());
    }

    private Managed adoptedWithCertificate() {
        showCertificateOf(id);
        return adopted("--client-certificate", CERTIFICATE);
    }

    /** From now on the cluster shows a new certificate, made out to the cluster with this id. */
    void showCertificateOf(String cluster) {
        ClusterAuthority.Issued issued = Stack.pki().clusters().issue(cluster);
        kube.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(CERTIFICATE)
                        .withNamespace(KubeCluster.NAMESPACE)
                        .endMetadata()
                        .addToStringData("tls.crt", issued.certificate())
                        .addToStringData("tls.key", issued.key())
                        .addToStringData("ca.crt", Stack.pki().authority())
                        .build())
                .serverSideApply();
    }

    /** Gives the cluster something of each type and applies its manifests. */
    private Managed adopted(String... shown) {
        homeport.create("namespaces", "first-" + id, "{\"labels\":{\"team\":\"a\"}}");
        homeport.create("rolebindings", "first-" + id, """
                {"role": "view", "subjects": [{"kind": "Group", "name": "team-a"}]}""");
        helm("first-" + id, "{}");
        assign("namespaces", "first-" + id);
        assign("rolebindings", "first-" + id);
        assign("platform_components", "first-" + id);
        kube.apply(manifests(shown));
        Await.until(
                "every type was polled and is as desired",
                () -> {
                    JsonNode types = delivery().at("/types");
                    return TYPES.stream()
                            .allMatch(type -> types.path(type).path("current").asBoolean());
                },
                () -> delivery() + "\n" + kube.describe());
        return this;
    }

    private JsonNode delivery() {
        return homeport.get("/api/v2/clusters/" + id + "/delivery").expect(200).json();
    }

    /** What {@code homeport bootstrap} prints for it. */
    private String manifests(String... shown) {
        List<String> command = new ArrayList<>(List.of("bootstrap", id, "--url", url));
        command.addAll(List.of(shown));
        return homeport.cli(command.toArray(String[]::new));
    }

    /** Makes a component of the chart, in a namespace of the same name. */
    void helm(String component, String more) {
        ObjectNode spec = (ObjectNode) JSON.readTree("""
                {"kind": "helm", "component_path": "web", "component_version": "%1$s", "oci_url": "%2$s",
                 "oci_tag": "%1$s", "target_namespace": "%3$s", "interval": "10s", "timeout": "20s"}""".formatted(Catalog.OLD, Catalog.chart(), component));
        spec.setAll((ObjectNode) JSON.readTree(more));
        homeport.create("platform-components", component, spec.toString());
    }

    /** Makes a component of the artifact; its namespace must be there. */
    void kustomize(String component, String more) {
        ObjectNode spec = (ObjectNode) JSON.readTree("""
                {"kind": "kustomize", "component_path": "apps/settings", "cluster_env_enabled": true,
                 "component_version": "%1$s", "oci_url": "%2$s", "oci_tag": "%1$s", "target_namespace": "%3$s",
                 "interval": "10s", "timeout": "20s"}""".formatted(Catalog.OLD, Catalog.artifact(), component));
        spec.setAll((ObjectNode) JSON.readTree(more));
        homeport.create("platform-components", component, spec.toString());
    }

    void namespace(String name) {
        homeport.create("namespaces", name, "{}");
        assign("namespaces", name);
    }

    void assign(String list, String item) {
        assign(list, item, "{}");
    }

    /** @param more what the cluster says of it itself, such as another tag */
    synchronized void assign(String list, String item, String more) {
        ObjectNode ref = (ObjectNode) JSON.readTree(more);
        ref.put("id", item);
        refs.computeIfAbsent(list, _ -> new TreeMap<>()).put(item, ref);
        write(list);
    }

    /** Flux Operator leaves behind what a set made that is deleted before its first reconciliation has ended. */
    void unassign(String list, String item) {
        if (list.equals("platform_components")) {
            Await.until(
                    "the set of " + item + " has noted what it made",
                    () -> kube.find(Kind.RESOURCE_SET, "c-" + item)
                            .filter(set -> Conditions.inventory(set).isEmpty())
                            .isEmpty(),
                    kube::describe);
        }
        without(list, item);
    }

    private synchronized void without(String list, String item) {
        refs.getOrDefault(list, new TreeMap<>()).remove(item);
        write(list);
    }

    private synchronized void write(String list) {
        ObjectNode spec = JSON.createObjectNode();
        ArrayNode array = spec.putArray(list);
        refs.getOrDefault(list, Map.of()).values().forEach(array::add);
        homeport.patch("clusters", id, spec.toString());
    }

    /** Values of one component on this cluster, by dotted path. */
    void patchValues(String component, String values) {
        homeport.patch("clusters", id, "{\"patches\":{\"" + component + "\":" + values + "}}");
    }

    /** Waits until a component says that it is healthy. */
    void awaitHealthy(String component) {
        kube.awaitReady(Kind.RESOURCE_SET, "c-" + component);
    }

    /**
     * Waits until a set no longer lists an object among those that it manages. Homeport calls an object kept as soon as the
     * cluster has fetched the answer; a set that still works with the answer before would create a deleted object again.
     *
     * @param object as Flux's inventories have it: namespace_name_group_kind
     */
    void awaitReleased(String set, String object) {
        Await.until(
                set + " no longer manages " + object,
                () -> kube.find(Kind.RESOURCE_SET, set)
                        .filter(found -> Conditions.isReady(found)
                                && !Conditions.inventory(found).isEmpty()
                                && !Conditions.inventory(found).contains(object))
                        .isPresent(),
                () -> kube.find(Kind.RESOURCE_SET, set).map(Conditions::inventory) + "\n" + kube.describe());
    }

    /** What the chart of a component was rendered with last. */
    JsonNode running(String component) {
        return JSON.readTree(shown(component).getData().get("values"));
    }

    String runningVersion(String component) {
        return shown(component).getData().get("version").replaceAll("\\+.*", "");
    }

    private ConfigMap shown(String component) {
        return kube.client()
                .configMaps()
                .inNamespace(component)
                .withLabel("shows", "values")
                .list()
                .getItems()
                .getFirst();
    }

    /** What the overlay of a component has set. */
    Map<String, String> settings(String component) {
        ConfigMap map = kube.client()
                .configMaps()
                .inNamespace(component)
                .withName("settings")
                .get();
        return map == null ? Map.of() : new TreeMap<>(map.getData());
    }

    /** With what Flux made of it, down to Helm's record: a release ends when that is gone. */
    void awaitGone(String component) {
        Await.until(
                component + " is gone",
                () -> Stream.of(Kind.RESOURCE_SET, Kind.HELM_RELEASE, Kind.KUSTOMIZATION, Kind.OCI_REPOSITORY)
                                .allMatch(kind ->
                                        kube.find(kind, "c-" + component).isEmpty())
                        && kube.client()
                                .configMaps()
                                .inNamespace(component)
                                .withLabel("shows", "values")
                                .list()
                                .getItems()
                                .isEmpty()
                        && settings(component).isEmpty(),
                kube::describe);
    }
}
