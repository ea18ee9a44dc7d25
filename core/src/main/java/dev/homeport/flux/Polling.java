package dev.homeport.flux;

import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * Providers, which poll, and ResourceSets, which make objects of what was polled. Each set waits until its provider holds
 * exactly one input, so that neither a recreated provider nor a stray empty list removes anything.
 */
final class Polling {
    static final String TOKEN = "homeport-token";
    static final String AUTHORITY = "homeport-ca";
    static final String ROOT = "homeport-types";

    /** Says in events of providers and sets which type they are about. */
    private static final String ANSWER_TYPE = "event.toolkit.fluxcd.io/answer_type";

    private static final int LIMIT = 10_000;
    private static final String ONE_INPUT = "has(status.exportedInputs) && size(status.exportedInputs) == 1";

    private final ClusterIdentity identity;
    private final Choices choices;
    private final Credentials credentials;

    Polling(ClusterIdentity identity, Choices choices, Credentials credentials) {
        this.identity = identity;
        this.choices = choices;
        this.credentials = credentials;
    }

    /** One provider that polls the list of types, and a set that makes the providers and sets of all of them. */
    List<ObjectNode> ofAllTypes() {
        Map<String, String> inTemplates = choices.inTemplates(identity);
        String words = inTemplates.entrySet().stream()
                .map(choice -> word(choice.getKey()) + " " + word(choice.getValue()))
                .collect(Collectors.joining(" "));
        String template = Templates.filled(Templates.root(), inTemplates)
                .replace("@choices@", words)
                .replace("@poll-interval@", choices.pollInterval())
                .replace("@sets-url@", identity.polls() + "/sets")
                .replace("@provider-spec@", CanonicalJson.text(spec()));
        return List.of(provider(ROOT, TypesAnswer.PLURAL), set(ROOT, TypesAnswer.PLURAL, ROOT, template));
    }

    List<ObjectNode> ofType(String plural, Templates.Template template) {
        String name = "homeport-" + plural;
        return List.of(
                provider(name, plural),
                set(
                        name,
                        plural,
                        template.serviceAccount(),
                        Templates.filled(template.text(), choices.inTemplates(identity))));
    }

    private static String word(String text) {
        StringBuilder out = new StringBuilder();
        CanonicalJson.string(text, out);
        return out.toString();
    }

    private ObjectNode provider(String name, String plural) {
        ObjectNode provider =
                kept(Manifest.of(Manifest.OPERATOR, "ResourceSetInputProvider", name, choices.namespace()));
        Manifest.annotate(provider, "fluxcd.controlplane.io/reconcileEvery", choices.pollInterval());
        Manifest.annotate(provider, "fluxcd.controlplane.io/reconcileTimeout", "30s");
        Manifest.annotate(provider, ANSWER_TYPE, plural);
        // Each poll shows how often it comes, so that it is not late by an interval that the cluster does not have yet.
        provider.set(
                "spec", spec().put("url", identity.polls() + "/sets/" + plural + "?every=" + choices.pollInterval()));
        return provider;
    }

    private ObjectNode spec() {
        ObjectNode spec = StrictJson.object().put("type", "ExternalService");
        if (identity.plain()) {
            spec.put("insecure", true);
        }
        credentials.tokenInto(spec);
        credentials.certificatesInto(spec);
        spec.putObject("filter").put("limit", LIMIT);
        return spec;
    }

    private ObjectNode set(String name, String plural, String account, String template) {
        ObjectNode set = kept(Manifest.of(Manifest.OPERATOR, "ResourceSet", name, choices.namespace()));
        Manifest.annotate(set, "fluxcd.controlplane.io/reconcileEvery", "10m");
        Manifest.annotate(set, ANSWER_TYPE, plural);
        ObjectNode spec = set.putObject("spec").put("serviceAccountName", account);
        spec.putObject("commonMetadata").putObject("labels").put("cluster", identity.name());
        spec.putArray("dependsOn")
                .addObject()
                .put("apiVersion", Manifest.OPERATOR)
                .put("kind", "ResourceSetInputProvider")
                .put("name", name)
                .put("namespace", choices.namespace())
                .put("ready", true)
                .put("readyExpr", ONE_INPUT);
        spec.putArray("inputsFrom")
                .addObject()
                .put("kind", "ResourceSetInputProvider")
                .put("name", name);
        spec.put("resourcesTemplate", template);
        return set;
    }

    /** Deleting a set deletes all that it made: a Kustomization that applies these manifests must not prune it. */
    static ObjectNode kept(ObjectNode object) {
        return Manifest.annotate(object, "kustomize.toolkit.fluxcd.io/prune", "disabled");
    }
}
