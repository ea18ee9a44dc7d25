package dev.homeport.document;

import dev.homeport.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a role binding must be beyond its schema, so that Kubernetes accepts it. */
final class RolebindingRules {
    private RolebindingRules() {}

    static List<Violation> check(ObjectNode binding, Leniency leniency) {
        List<Violation> found = new ArrayList<>();
        if (binding.path("role_kind").asString("").equals("Role") && !binding.has("namespace")) {
            found.add(new Violation(
                    "/namespace",
                    "a Role lives in a namespace, and none is given",
                    "add namespace, or use a ClusterRole"));
        }
        JsonNode subjects = binding.path("subjects");
        for (int i = 0; i < subjects.size(); i++) {
            if (subjects.path(i).path("kind").asString("").equals("ServiceAccount")) {
                serviceAccount(subjects.path(i), Pointer.child("/subjects", i), leniency, found);
            }
        }
        return found;
    }

    private static void serviceAccount(JsonNode subject, String at, Leniency leniency, List<Violation> found) {
        if (IdRules.objectName(subject.path("name").asString("")).isPresent()) {
            found.add(new Violation(
                    Pointer.child(at, "name"),
                    "this is not the name of a service account",
                    "use lower-case letters, digits, hyphens and dots; the namespace has its own field"));
        }
        boolean strict = leniency == Leniency.STRICT;
        if (strict && !subject.has("namespace")) {
            found.add(new Violation(
                    Pointer.child(at, "namespace"), "a service account needs its namespace", "add namespace"));
        }
        if (strict && !subject.path("apiGroup").asString("").isEmpty()) {
            found.add(new Violation(
                    Pointer.child(at, "apiGroup"), "a service account has no API group", "leave apiGroup out"));
        }
    }
}
