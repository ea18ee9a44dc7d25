package dev.homeport.sim;

import dev.homeport.api.ApiProblem;
import dev.homeport.api.ErrorCode;
import dev.homeport.api.HomeportClient;
import dev.homeport.api.Pages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Makes clusters on a server through its API, as an administrator would, and bootstraps each of them. */
public final class Enrolment {
    private static final int AT_ONCE = 2;
    private static final int PER_CHANGE = 500;
    private static final List<String> ENVIRONMENTS = List.of("dev", "qa", "uat", "prod");
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final YAMLMapper YAML = YAMLMapper.shared();

    private final HomeportClient admin;
    private final String pollUrl;
    private final String prefix;

    /** @param prefix of the ids of everything that is made, so that it is known as simulated */
    public Enrolment(HomeportClient admin, String pollUrl, String prefix) {
        this.admin = admin;
        this.pollUrl = pollUrl;
        this.prefix = prefix;
    }

    public String clusterId(int number) {
        return String.format(Locale.ROOT, "%s-%06d", prefix, number);
    }

    /** Creates the clusters that do not exist yet. */
    public List<Identity> enrol(int count, IntConsumer progress) throws InterruptedException {
        Set<String> there = catalog() ? Set.of() : clusterIds();
        AtomicInteger done = new AtomicInteger();
        List<Callable<List<Identity>>> work = new ArrayList<>();
        for (int from = 0; from < count; from += PER_CHANGE) {
            List<Integer> numbers = IntStream.range(from, Math.min(from + PER_CHANGE, count))
                    .boxed()
                    .toList();
            work.add(() -> {
                clusters(numbers, there);
                List<Identity> made =
                        bootstrap(numbers.stream().map(this::clusterId).toList());
                progress.accept(done.addAndGet(made.size()));
                return made;
            });
        }
        List<Identity> identities = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<List<Identity>> some : threads.invokeAll(work)) {
                identities.addAll(some.get());
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e);
        }
        return identities;
    }

    /** Everything that the clusters refer to; whether none of it was there. */
    private boolean catalog() {
        ArrayNode operations = JSON.createArrayNode();
        for (int i = 0; i < 6; i++) {
            String id = prefix + "-part-" + i;
            create(operations, "platform_component", id)
                    .put("component_path", "simulated/" + id)
                    .put("component_version", "1." + i + ".0")
                    .put("kind", i % 2 == 0 ? "kustomize" : "helm")
                    .put("oci_url", "oci://registry.example.com/simulated/" + id)
                    .put("oci_tag", "1." + i + ".0")
                    .put("stateful", i == 5);
        }
        for (int i = 0; i < 3; i++) {
            create(operations, "namespace", prefix + "-space-" + i);
            ObjectNode binding = create(operations, "rolebinding", prefix + "-view-" + i)
                    .put("role", "view")
                    .put("namespace", prefix + "-space-" + i);
            binding.putArray("subjects").addObject().put("kind", "Group").put("name", "simulated");
        }
        ObjectNode template = create(operations, "cluster_template", prefix);
        references(template, "platform_components", "-part-0", "-part-1");
        references(template, "namespaces", "-space-0");
        return change(operations);
    }

    /** Of all clusters: an earlier run may have made many of them. */
    private Set<String> clusterIds() {
        Set<String> ids = new HashSet<>();
        Pages pages = admin.pages();
        JsonNode page;
        do {
            page = admin.get("/api/v2/clusters?page_size=1000"
                            + (pages.token().isEmpty() ? "" : "&page_token=" + pages.token()))
                    .body();
            page.path("items").forEach(cluster -> ids.add(cluster.path("id").asString("")));
        } while (pages.goOn(page));
        return ids;
    }

    private void clusters(List<Integer> numbers, Set<String> there) {
        ArrayNode operations = JSON.createArrayNode();
        for (int i : numbers) {
            String id = clusterId(i);
            if (there.contains(id)) {
                continue;
            }
            ObjectNode cluster = create(operations, "cluster", id)
                    .put("cluster_name", id)
                    .put("cluster_dns", id + ".sim.example.com")
                    .put("environment", ENVIRONMENTS.get(i % ENVIRONMENTS.size()))
                    .put("template", prefix)
                    .put("owner", "simulated");
            references(cluster, "platform_components", "-part-" + (2 + i % 2), "-part-4", "-part-5");
            references(cluster, "namespaces", "-space-1", "-space-2");
            references(cluster, "rolebindings", "-view-" + i % 3);
        }
        if (!operations.isEmpty()) {
            change(operations);
        }
    }

    private static ObjectNode create(ArrayNode operations, String type, String id) {
        ObjectNode operation =
                operations.addObject().put("op", "create").put("type", type).put("id", id);
        return operation.putObject("spec");
    }

    private void references(ObjectNode layer, String list, String... ids) {
        ArrayNode references = layer.putArray(list);
        for (String id : ids) {
            references.addObject().put("id", prefix + id);
        }
    }

    /** All at once; where some are there already, those that are not. Whether none was there. */
    private boolean change(ArrayNode operations) {
        try {
            send(operations);
            return true;
        } catch (ApiProblem e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            if (operations.size() > 1) {
                operations.forEach(one -> change(JSON.createArrayNode().add(one)));
            }
            return false;
        }
    }

    private void send(ArrayNode operations) {
        ObjectNode body = JSON.createObjectNode().put("reason", "a simulated fleet");
        body.set("operations", operations);
        admin.send("POST", "/api/v2/changes", Map.of(), Optional.of(HomeportClient.Payload.json(body)));
    }

    /** What a cluster is given to begin with holds the secrets that it needs. */
    private List<Identity> bootstrap(List<String> ids) {
        ObjectNode body = JSON.createObjectNode()
                .put("format", "secrets")
                .put("url", pollUrl)
                .put("replace", true);
        ids.forEach(body.putArray("clusters")::add);
        JsonNode made = admin.send(
                        "POST", "/api/v2/clusters:bootstrap", Map.of(), Optional.of(HomeportClient.Payload.json(body)))
                .body();
        List<Identity> identities = new ArrayList<>();
        for (JsonNode one : made.path("clusters")) {
            identities.add(identity(
                    one.path("cluster").asString(""),
                    one.path("files").path(0).path("content").asString("")));
        }
        return identities;
    }

    private static Identity identity(String id, String secrets) {
        String token = "";
        String eventKey = "";
        for (String text : secrets.split("(?m)^---$", -1)) {
            JsonNode secret = YAML.readTree(text);
            String value = secret.path("stringData").path("token").asString("");
            switch (secret.path("metadata").path("name").asString("")) {
                case "homeport-token" -> token = value;
                case "homeport-events" -> eventKey = value;
                default -> {}
            }
        }
        if (token.isEmpty()) {
            throw new IllegalStateException("the manifests of " + id + " hold no token");
        }
        return new Identity(id, id + ".sim.example.com", token, eventKey);
    }
}
