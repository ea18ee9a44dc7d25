package dev.homeport.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Simulates the sets that look at objects. A set that finds a difference waits and says so once; it says something again only
 * after everything was as Homeport knows it.
 */
final class Witnesses {
    private static final String COMPONENTS = "platform-components";
    private static final String SET_PREFIX = "homeport-";

    /** What Flux Operator writes about itself. */
    private static final String REPORT = "FluxReport";

    private static final String FLUX = "v2.8.2";
    private static final String OPERATOR = "v0.58.1";

    private final BiConsumer<SimCluster, byte[]> post;
    private final Shared<WitnessSet> shared = new Shared<>();
    private final Shared<String> values = new Shared<>();
    private long said;

    Witnesses(BiConsumer<SimCluster, byte[]> post) {
        this.post = post;
    }

    /** How many events there were. */
    long said() {
        return said;
    }

    /** The sets that a cluster has from now on. */
    void told(SimCluster cluster, List<ObjectNode> inputs) {
        Map<String, WitnessSet> sets = new LinkedHashMap<>();
        for (ObjectNode input : inputs) {
            for (JsonNode item : input.path("items")) {
                WitnessSet.of(item).ifPresent(set -> sets.put(set.id(), shared.one(set)));
            }
        }
        cluster.witnesses.sets = List.copyOf(sets.values());
        cluster.witnesses.waiting.retainAll(sets.keySet());
        look(cluster);
    }

    /** Evaluates all sets of a cluster, after something on it has changed. */
    void look(SimCluster cluster) {
        for (WitnessSet set : cluster.witnesses.sets) {
            Optional<String> difference = difference(cluster, set);
            if (difference.isEmpty()) {
                cluster.witnesses.waiting.remove(set.id());
            } else if (cluster.witnesses.waiting.add(set.id())) {
                said++;
                post.accept(cluster, cluster.events().waiting(set, difference.get()));
            }
        }
    }

    /** What the operator says of the first dependency that is not ready. */
    private Optional<String> difference(SimCluster cluster, WitnessSet set) {
        for (WitnessSet.Question question : set.questions()) {
            Optional<SimObject> object = object(cluster, question);
            if (object.isEmpty()) {
                return Optional.of(absent(question));
            }
            if (question.atRest() && object.get().atWork()) {
                continue;
            }
            String value = value(cluster, object.get(), question);
            if (!value.equals(question.known())) {
                return Optional.of("Retrying dependency check: failed to evaluate the CEL expression '"
                        + question.expression() + "': no such key: " + question.mark() + " " + value);
            }
        }
        return Optional.empty();
    }

    private String value(SimCluster cluster, SimObject object, WitnessSet.Question question) {
        if (question.isProbe()) {
            // CEL is not evaluated here: a probe is true while nothing is wrong with its object.
            return encoded(List.of(
                    question.kind(),
                    question.digest(),
                    "bool",
                    String.valueOf(!object.ready().equals("False"))));
        }
        return question.kind().equals(REPORT)
                ? encoded(List.of(REPORT, cluster.identity().kubernetes(), "linux/amd64", FLUX, OPERATOR))
                : value(object, question);
    }

    /**
     * An object as it is on a cluster.
     *
     * @param atWork whether its controller has not finished
     */
    private record SimObject(
            boolean atWork,
            String ready,
            String reason,
            String revision,
            String config,
            String item,
            String deletion,
            String prune) {
        static SimObject plain(boolean kept) {
            return new SimObject(false, "", "", "", "", "", "", kept ? "disabled" : "");
        }
    }

    private static Optional<SimObject> object(SimCluster cluster, WitnessSet.Question question) {
        if (!question.component().isEmpty()) {
            return component(cluster, question.component());
        }
        return switch (question.kind()) {
            case "ResourceSet" -> set(cluster, question.name());
            case REPORT -> Optional.of(SimObject.plain(false));
            case "Namespace" -> item(cluster, "namespaces", question.name());
            case "HelmRelease", "Kustomization" ->
                component(cluster, question.name().replaceFirst("^c-", ""));
            case "RoleBinding", "ClusterRoleBinding" -> item(cluster, "rolebindings", question.name());
            default -> Optional.of(SimObject.plain(false));
        };
    }

    private static Optional<SimObject> component(SimCluster cluster, String id) {
        Provider provider = cluster.providers().get(COMPONENTS);
        SimItem wanted = provider == null ? null : provider.inventory().get(id);
        SimItem item = wanted == null ? cluster.witnesses.left.get(id) : wanted;
        if (item == null) {
            return Optional.empty();
        }
        boolean failed = item.ailment().isPresent() || id.equals(cluster.brokenComponent);
        boolean helm = item.kind().equals("helm");
        String reason = helm
                ? failed ? "UpgradeFailed" : "InstallSucceeded"
                : failed ? "HealthCheckFailed" : "ReconciliationSucceeded";
        return Optional.of(new SimObject(
                cluster.witnesses.atWork.contains(id),
                failed ? "False" : "True",
                reason,
                FluxEvents.revision(item),
                helm ? "sha256:" + FluxEvents.artifact(item) : "",
                item.digest(),
                wanted == null && !item.kept() ? "deleting finalizers.fluxcd.io" : "",
                item.kept() ? "disabled" : ""));
    }

    private static Optional<SimObject> set(SimCluster cluster, String name) {
        String plural = name.startsWith(SET_PREFIX) ? name.substring(SET_PREFIX.length()) : name;
        return Optional.ofNullable(cluster.providers().get(plural)).map(provider -> {
            String reason = provider.buildFailed ? "BuildFailed" : "ReconciliationSucceeded";
            return new SimObject(
                    !provider.isTold() && !provider.buildFailed,
                    provider.buildFailed ? "False" : "True",
                    reason,
                    "",
                    "",
                    "",
                    "",
                    "disabled");
        });
    }

    private static Optional<SimObject> item(SimCluster cluster, String plural, String name) {
        Provider provider = cluster.providers().get(plural);
        return provider == null
                ? Optional.empty()
                : Optional.ofNullable(provider.inventory().get(name))
                        .or(() -> Optional.ofNullable(provider.kept.get(name)))
                        .map(item -> SimObject.plain(item.kept()));
    }

    private String value(SimObject object, WitnessSet.Question question) {
        List<String> fields = new ArrayList<>(List.of(question.kind()));
        fields.addAll(
                question.status()
                        ? List.of(object.ready(), object.reason(), object.revision(), object.config())
                        : List.of("", "", "", ""));
        fields.addAll(List.of(object.item(), object.deletion(), object.prune()));
        return encoded(fields);
    }

    private String encoded(List<String> fields) {
        String text = String.join("\n", fields);
        return values.one(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String absent(WitnessSet.Question question) {
        String name = question.object();
        int slash = question.apiVersion().indexOf('/');
        String resource = question.kind().toLowerCase(Locale.ROOT) + "s"
                + (slash < 0 ? "" : "." + question.apiVersion().substring(0, slash));
        return "Retrying dependency check: dependency " + question.apiVersion() + "/" + question.kind()
                + "/flux-system/" + name + " not found: " + resource + " \"" + name + "\" not found";
    }
}
