package dev.homeport.flux;

import dev.homeport.document.TypeDefinition;
import dev.homeport.fleet.FleetView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The manifests with which a cluster begins to phone home. Apart from identity and secrets they are the same everywhere. */
public final class Bootstrap {
    private Bootstrap() {}

    /** Everything, in the order in which it is to be applied. */
    public static List<ObjectNode> objects(
            ClusterIdentity identity, ClusterSecrets secrets, Choices choices, FleetView view) {
        List<ObjectNode> all = new ArrayList<>();
        all.add(namespace(choices));
        all.addAll(own(identity, secrets, choices));
        all.addAll(shared(identity, secrets, choices, view));
        return labelled(all, identity);
    }

    /** What is one cluster's: its identity and its secrets. */
    static List<ObjectNode> own(ClusterIdentity identity, ClusterSecrets secrets, Choices choices) {
        List<ObjectNode> all = new ArrayList<>();
        all.add(identity(identity, choices));
        secrets.token().ifPresent(token -> all.add(secret(Polling.TOKEN, "token", token, choices)));
        all.add(secret(Feedback.EVENT_KEY, "token", secrets.eventKey(), choices));
        if (choices.clientCertificate().isEmpty()) {
            secrets.authority().ifPresent(pem -> all.add(secret(Polling.AUTHORITY, "ca.crt", pem, choices)));
        }
        return all;
    }

    /** What every cluster has alike, but for the identity's words. */
    private static List<ObjectNode> shared(
            ClusterIdentity identity, ClusterSecrets secrets, Choices choices, FleetView view) {
        List<ObjectNode> all = new ArrayList<>(ServiceAccounts.of(choices));
        Credentials credentials = Credentials.of(secrets, choices);
        Polling polling = new Polling(identity, choices, credentials);
        if (choices.types().isEmpty()) {
            all.addAll(polling.ofAllTypes());
        } else {
            for (String plural : choices.types()) {
                template(view, plural).ifPresent(template -> all.addAll(polling.ofType(plural, template)));
            }
        }
        all.addAll(Feedback.of(identity, choices, credentials));
        if (choices.instance() == Choices.Instance.CREATE) {
            all.add(instance(choices, Templates.of(view)));
        }
        return all;
    }

    /** How a type's items become objects on a cluster, if they do. */
    static Optional<Templates.Template> template(FleetView view, String plural) {
        return view.types()
                .withPlural(plural)
                .filter(type -> type.part() == TypeDefinition.Part.ITEM)
                .flatMap(Templates.of(view)::of);
    }

    static List<ObjectNode> labelled(List<ObjectNode> objects, ClusterIdentity identity) {
        objects.forEach(object -> {
            Manifest.label(object, "app.kubernetes.io/managed-by", "homeport");
            Manifest.label(object, "cluster", identity.name());
        });
        return objects;
    }

    static ObjectNode namespace(Choices choices) {
        return Polling.kept(Manifest.of("v1", "Namespace", choices.namespace()));
    }

    private static ObjectNode identity(ClusterIdentity identity, Choices choices) {
        ObjectNode map = Manifest.of("v1", "ConfigMap", "cluster-identity", choices.namespace());
        Manifest.label(map, "reconcile.fluxcd.io/watch", "Enabled");
        map.set("data", Manifest.texts(identity.asVariables()));
        return map;
    }

    private static ObjectNode secret(String name, String key, String value, Choices choices) {
        ObjectNode secret = Manifest.of("v1", "Secret", name, choices.namespace());
        secret.put("type", "Opaque").set("stringData", Manifest.texts(Map.of(key, value)));
        return secret;
    }

    /** Locked down, unless the fleet's components name no account yet and would then have no rights. */
    private static ObjectNode instance(Choices choices, Templates templates) {
        ObjectNode instance = Polling.kept(Manifest.of(Manifest.OPERATOR, "FluxInstance", "flux", choices.namespace()));
        ObjectNode spec = instance.putObject("spec");
        spec.putObject("distribution").put("version", "2.x").put("registry", "ghcr.io/fluxcd");
        if (templates.nameAccounts()) {
            spec.putObject("cluster").put("multitenant", true);
        }
        return instance;
    }
}
