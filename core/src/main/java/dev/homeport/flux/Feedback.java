package dev.homeport.flux;

import dev.homeport.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a cluster reports on its objects: signed events to Homeport, and an alert to the operators of the cluster. */
final class Feedback {
    static final String EVENT_KEY = "homeport-events";
    static final String SET = "homeport-feedback";

    private static final String OPERATOR_ALERT = "homeport-operator";
    private static final String ALERTS = "alerts.notification.toolkit.fluxcd.io";

    private static final String KINDS =
            "v.schema.openAPIV3Schema.properties.spec.properties.eventSources.items.properties.kind.enum";

    /** A FluxInstance adds the operator's kinds to the list of kinds that an alert may name. */
    private static final String KNOWS_OPERATOR_KINDS =
            "spec.versions.exists(v, v.name == 'v1beta3' && (!has(" + KINDS + ") || 'ResourceSet' in " + KINDS + "))";

    private static final String NOTIFICATION = "notification.toolkit.fluxcd.io/v1beta3";
    private static final List<String> FLUX_KINDS =
            List.of("Kustomization", "HelmRelease", "OCIRepository", "HelmRepository", "HelmChart");
    private static final List<String> OPERATOR_KINDS = List.of("ResourceSet", "ResourceSetInputProvider");

    private Feedback() {}

    static List<ObjectNode> of(ClusterIdentity identity, Choices choices, Credentials credentials) {
        List<ObjectNode> notifying = notifying(identity, choices, credentials);
        ObjectNode operator = alert(OPERATOR_ALERT, OPERATOR_KINDS, identity, choices);
        List<ObjectNode> all = new ArrayList<>();
        if (choices.instance() == Choices.Instance.CREATE) {
            all.add(onceFluxRuns(notifying, choices));
        } else {
            all.addAll(notifying);
        }
        switch (choices.instance()) {
            case DETECT, CREATE -> all.add(onceAlertsKnowIt(operator, choices));
            case PRESENT -> all.add(operator);
            case ABSENT -> {}
        }
        if (choices.prometheusRule()) {
            all.add(rule(choices));
        }
        return all;
    }

    /** Whether some of it is made by sets, which need an account. */
    static boolean hasSets(Choices choices) {
        return choices.instance() == Choices.Instance.DETECT || choices.instance() == Choices.Instance.CREATE;
    }

    /** The kinds of notifications come with Flux, which the FluxInstance beside them has yet to install. */
    private static ObjectNode onceFluxRuns(List<ObjectNode> notifying, Choices choices) {
        ObjectNode flux = StrictJson.object()
                .put("apiVersion", Manifest.OPERATOR)
                .put("kind", "FluxInstance")
                .put("name", "flux")
                .put("namespace", choices.namespace())
                .put("ready", true);
        return set(SET, flux, notifying, choices);
    }

    /** Applied earlier, or where no FluxInstance is, the alert would be refused together with all other manifests. */
    private static ObjectNode onceAlertsKnowIt(ObjectNode alert, Choices choices) {
        ObjectNode definition = StrictJson.object()
                .put("apiVersion", "apiextensions.k8s.io/v1")
                .put("kind", "CustomResourceDefinition")
                .put("name", ALERTS)
                .put("ready", true)
                .put("readyExpr", KNOWS_OPERATOR_KINDS);
        return set(OPERATOR_ALERT, definition, List.of(alert), choices);
    }

    private static ObjectNode set(String name, ObjectNode dependency, List<ObjectNode> objects, Choices choices) {
        ObjectNode set = Manifest.of(Manifest.OPERATOR, "ResourceSet", name, choices.namespace());
        ObjectNode spec = set.putObject("spec").put("serviceAccountName", SET);
        spec.putArray("dependsOn").add(dependency);
        objects.forEach(spec.putArray("resources")::add);
        return set;
    }

    private static List<ObjectNode> notifying(ClusterIdentity identity, Choices choices, Credentials credentials) {
        List<ObjectNode> all = new ArrayList<>();
        ObjectNode provider = Manifest.of(NOTIFICATION, "Provider", "homeport", choices.namespace());
        ObjectNode spec = provider.putObject("spec")
                .put("type", "generic-hmac")
                .put("address", identity.polls() + "/events")
                .put("timeout", "30s");
        spec.putObject("secretRef").put("name", EVENT_KEY);
        credentials.certificatesInto(spec);
        all.add(provider);
        all.add(alert("homeport", FLUX_KINDS, identity, choices));
        return all;
    }

    private static ObjectNode alert(String name, List<String> kinds, ClusterIdentity identity, Choices choices) {
        ObjectNode alert = Manifest.of(NOTIFICATION, "Alert", name, choices.namespace());
        ObjectNode spec = alert.putObject("spec").put("eventSeverity", "info");
        spec.putObject("providerRef").put("name", "homeport");
        spec.putObject("eventMetadata").put("cluster", identity.id());
        ArrayNode sources = spec.putArray("eventSources");
        kinds.forEach(kind -> sources.addObject().put("kind", kind).put("name", "*"));
        return alert;
    }

    /** The metric is Flux Operator's own; a provider's Ready is Unknown for a moment at every poll. */
    private static ObjectNode rule(Choices choices) {
        ObjectNode rule = Manifest.of("monitoring.coreos.com/v1", "PrometheusRule", "homeport", choices.namespace());
        ObjectNode group = rule.putObject("spec").putArray("groups").addObject().put("name", "homeport");
        ObjectNode alert = group.putArray("rules")
                .addObject()
                .put("alert", "HomeportProviderNotReady")
                .put(
                        "expr",
                        "flux_resource_info{kind=\"ResourceSetInputProvider\",exported_namespace=\""
                                + choices.namespace() + "\",name=~\"homeport-.*\",ready=\"False\"} == 1")
                .put("for", "15m");
        alert.putObject("labels").put("severity", "warning");
        alert.putObject("annotations")
                .put("summary", "{{ $labels.name }} gets no answer from Homeport")
                .put(
                        "description",
                        "Nothing on the cluster is removed or changed meanwhile; new desired state does not arrive."
                                + " The provider's Ready condition says why.");
        return rule;
    }
}
