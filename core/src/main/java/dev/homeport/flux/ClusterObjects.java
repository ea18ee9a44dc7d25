package dev.homeport.flux;

import dev.homeport.api.ErrorCode;
import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.ClusterBlock;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.json.StrictJson;
import dev.homeport.problem.ProblemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the templates make of a cluster's answers, made here: namespaces, role bindings, and a ResourceSet for each component.
 * A test compares it with what Flux Operator makes of the same answers. For a Kustomization that applies these from Git,
 * objects that must never be pruned and objects that are recreated are annotated for it as well.
 */
final class ClusterObjects {
    private static final String PRUNE = "fluxcd.controlplane.io/prune";

    private final ClusterBlock cluster;
    private final Home home;
    private final Map<ObjectKey, ObjectNode> objects = new TreeMap<>();

    private ClusterObjects(ClusterBlock cluster, Home home) {
        this.cluster = cluster;
        this.home = home;
    }

    /**
     * What is the same for every cluster, kept once.
     *
     * @param component what makes a component's objects
     * @param rolebinding what makes a role binding, where each has a set of its own
     */
    record Home(String namespace, String component, Optional<String> rolebinding) {
        static Home of(FleetView view, Choices choices) {
            Templates templates = Templates.of(view);
            return new Home(
                    choices.namespace(),
                    Templates.filled(templates.component(), choices.inTemplates(ClusterIdentity.variables())),
                    templates.setsOfBindings() ? Optional.of(templates.rolebinding()) : Optional.empty());
        }
    }

    /** Refused for a cluster that cannot be answered now: a shorter list would be taken for the truth. */
    static Map<ObjectKey, ObjectNode> of(FleetView view, Document document, ClusterBlock cluster, Home home) {
        ClusterObjects made = new ClusterObjects(cluster, home);
        for (String name : List.of(Types.NAMESPACE, Types.ROLEBINDING, Types.PLATFORM_COMPONENT)) {
            TypeDefinition type = view.types().named(name).orElseThrow();
            switch (Answers.of(view, document, type)) {
                case Answer.Served served -> served.items().forEach(item -> made.add(name, item));
                case Answer.Hold _ ->
                    throw ProblemException.refused(
                            ErrorCode.CONFLICT,
                            "cluster/" + cluster.id() + " cannot be answered now",
                            "its payload says why: repair that first",
                            List.of("cluster/" + cluster.id()));
                case Answer.Detached _ -> {}
            }
        }
        return made.objects;
    }

    private void add(String type, Item item) {
        if (item.enabled()) {
            ObjectNode body = StrictJson.read(item.setBytes());
            ObjectNode object = switch (type) {
                case Types.NAMESPACE -> namespace(body);
                case Types.ROLEBINDING ->
                    home.rolebinding()
                            .map(template -> setOfBinding(body, template))
                            .orElseGet(() -> binding(body));
                default -> component(body);
            };
            Manifest.label(object, "cluster", cluster.name());
            if (Manifest.metadata(object).path("annotations").has(PRUNE)) {
                Polling.kept(object);
            }
            objects.put(ObjectKey.of(object), object);
        }
    }

    private static ObjectNode namespace(ObjectNode item) {
        ObjectNode object = Manifest.of("v1", "Namespace", item.get("id").stringValue());
        Manifest.metadata(object).set("labels", item.path("labels"));
        Manifest.metadata(object).set("annotations", item.path("annotations"));
        return item.path("keep").booleanValue(true) ? Manifest.annotate(object, PRUNE, "disabled") : object;
    }

    private static ObjectNode binding(ObjectNode item) {
        JsonNode namespace = item.path("namespace");
        ObjectNode object = Manifest.of(
                Manifest.RBAC + "/v1",
                namespace.isString() ? "RoleBinding" : "ClusterRoleBinding",
                item.get("id").stringValue());
        if (namespace.isString()) {
            Manifest.metadata(object).set("namespace", namespace);
        }
        Manifest.annotate(object, "fluxcd.controlplane.io/force", "enabled");
        Manifest.annotate(object, "kustomize.toolkit.fluxcd.io/force", "Enabled");
        object.putObject("roleRef")
                .put("apiGroup", Manifest.RBAC)
                .put("kind", item.path("role_kind").stringValue("ClusterRole"))
                .put("name", item.get("role").stringValue());
        ArrayNode subjects = object.putArray("subjects");
        item.path("subjects").forEach(subject -> {
            ObjectNode made = subjects.addObject();
            made.set("kind", subject.get("kind"));
            made.set("name", subject.get("name"));
            if (subject.get("kind").stringValue().equals("ServiceAccount")) {
                made.put("namespace", subject.path("namespace").stringValue("default"));
            } else {
                made.put("apiGroup", Manifest.RBAC);
            }
        });
        return object;
    }

    private ObjectNode setOfBinding(ObjectNode item, String template) {
        String id = item.get("id").stringValue();
        ObjectNode set = Manifest.of(Manifest.OPERATOR, "ResourceSet", Naming.setOfBinding(id), home.namespace());
        Manifest.annotate(set, "fluxcd.controlplane.io/reconcileEvery", "10m");
        Manifest.annotate(set, "event.toolkit.fluxcd.io/answer_type", "rolebindings");
        ObjectNode spec = set.putObject("spec")
                .put("serviceAccountName", item.path("service_account").stringValue(ServiceAccounts.OF_BINDINGS));
        spec.putObject("commonMetadata").putObject("labels").put("cluster", cluster.name());
        spec.putArray("inputs").addObject().put("id", id).set("binding", item);
        spec.put("resourcesTemplate", template);
        return set;
    }

    private ObjectNode component(ObjectNode item) {
        String id = item.get("id").stringValue();
        ObjectNode set = Manifest.of(Manifest.OPERATOR, "ResourceSet", "c-" + id, home.namespace());
        Manifest.annotate(set, "fluxcd.controlplane.io/reconcileEvery", "10m");
        Manifest.annotate(
                set,
                "fluxcd.controlplane.io/reconcileTimeout",
                item.path("timeout").stringValue("5m"));
        Manifest.annotate(set, "event.toolkit.fluxcd.io/component_id", id);
        Manifest.annotate(set, "event.toolkit.fluxcd.io/answer_digest", "");
        if (item.path("stateful").booleanValue(false)) {
            Manifest.annotate(set, PRUNE, "disabled");
        }
        ObjectNode spec = set.putObject("spec").put("wait", true).put("serviceAccountName", "homeport-component");
        ArrayNode needs = spec.putArray("dependsOn");
        item.path("depends_on")
                .forEach(need -> needs.addObject()
                        .put("apiVersion", Manifest.OPERATOR)
                        .put("kind", "ResourceSet")
                        .put("name", "c-" + need.stringValue())
                        .put("namespace", home.namespace())
                        .put("ready", true));
        spec.putObject("commonMetadata").putObject("labels").put("cluster", cluster.name());
        ObjectNode input = spec.putArray("inputs").addObject().put("id", id).put("digest", "");
        input.putObject("cluster")
                .put("name", cluster.name())
                .put("dns", cluster.dns())
                .put("environment", cluster.environment());
        input.set("component", item);
        spec.put("resourcesTemplate", home.component());
        return set;
    }
}
