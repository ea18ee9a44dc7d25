package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a platform component must be beyond its schema. */
final class ComponentRules {
    /** Helm adds to the release's name and must stay within 63; Flux's own suffix takes two. */
    private static final int MAX_HELM_ID = 53;

    private static final int MAX_ID = 61;

    private final ObjectNode component;
    private final String kind;
    private final List<Violation> found = new ArrayList<>();

    private ComponentRules(ObjectNode component) {
        this.component = component;
        this.kind = component.path("kind").asString("kustomize");
    }

    static List<Violation> check(ObjectNode component) {
        ComponentRules rules = new ComponentRules(component);
        rules.id();
        rules.source();
        rules.verification();
        rules.dependsOn();
        rules.values();
        return rules.found;
    }

    private void id() {
        int limit = kind.equals("helm") ? MAX_HELM_ID : MAX_ID;
        if (component.path("id").asString("").length() > limit) {
            add("/id", "the id is longer than " + limit + " characters", "Flux and Helm add to it: use a shorter id");
        }
    }

    private void source() {
        if (kind.equals("kustomize") && component.path("oci_url").asString("").startsWith("https:")) {
            add("/oci_url", "a kustomize component comes from an OCI registry", "use oci://…, or kind helm");
        }
    }

    private void verification() {
        JsonNode verify = component.path("verify");
        if (verify.has("provider") && !verify.has("secret")) {
            boolean notation = verify.path("provider").asString("").equals("notation");
            add(
                    "/verify/secret",
                    notation ? "notation trusts no signer by default" : "without keys, every signer would be trusted",
                    notation
                            ? "name the Secret with trustpolicy.json and the certificates"
                            : "name the Secret with cosign's public keys");
        }
        if (verify.has("provider") && component.path("oci_url").asString("").startsWith("https:")) {
            add("/verify", "Flux verifies no chart from an https address", "use oci://…, or leave it out");
        }
    }

    private void dependsOn() {
        JsonNode list = component.path("depends_on");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String id = list.path(i).asString("");
            String at = Pointer.child("/depends_on", i);
            if (id.isEmpty()) {
                continue;
            }
            if (id.equals(component.path("id").asString(""))) {
                add(at, "the component depends on itself", "remove it");
            } else if (!seen.add(id)) {
                add(at, "duplicate dependency '" + Shown.text(id) + "'", "name each once");
            }
        }
    }

    private void values() {
        if (component.path("values") instanceof ObjectNode values) {
            found.addAll(PatchLeaves.ofValues(values, "/values").faults());
            found.addAll(ClusterValueRules.check(values, "/values"));
            if (kind.equals("kustomize")) {
                List<String> raw = component
                        .path("raw_paths")
                        .valueStream()
                        .map(path -> path.asString(""))
                        .toList();
                found.addAll(KustomizeRules.check(values, raw, "/values"));
            }
        }
    }

    private void add(String pointer, String detail, String fix) {
        found.add(new Violation(pointer, detail, fix));
    }
}
