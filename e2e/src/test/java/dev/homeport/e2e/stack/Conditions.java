package dev.homeport.e2e.stack;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an object of Flux's says of itself. */
public final class Conditions {
    private Conditions() {}

    /** The Ready condition's status: True, False, Unknown; Unknown as well without a condition. */
    public static String ready(GenericKubernetesResource object) {
        return field(object, "status").orElse("Unknown");
    }

    public static String reason(GenericKubernetesResource object) {
        return field(object, "reason").orElse("");
    }

    public static String message(GenericKubernetesResource object) {
        return field(object, "message").orElse("");
    }

    public static boolean isReady(GenericKubernetesResource object) {
        return hasSeenItself(object) && ready(object).equals("True");
    }

    /** Flux Operator notes the generation with each condition, Flux's controllers for the object too. */
    private static boolean hasSeenItself(GenericKubernetesResource object) {
        Object ofObject = object.get("status", "observedGeneration");
        String generation = String.valueOf(object.getMetadata().getGeneration());
        return (ofObject == null || String.valueOf(ofObject).equals(generation))
                && field(object, "observedGeneration")
                        .filter(seen -> !seen.equals(generation))
                        .isEmpty();
    }

    /** What an object says that it manages, each as namespace_name_group_kind. */
    public static List<String> inventory(GenericKubernetesResource object) {
        if (!(object.get("status", "inventory", "entries") instanceof List<?> entries)) {
            return List.of();
        }
        return entries.stream()
                .map(entry -> String.valueOf(((Map<?, ?>) entry).get("id")))
                .toList();
    }

    static String describe(GenericKubernetesResource object) {
        return ready(object) + " " + reason(object) + " " + message(object);
    }

    private static Optional<String> field(GenericKubernetesResource object, String name) {
        if (!(object.get("status", "conditions") instanceof List<?> conditions)) {
            return Optional.empty();
        }
        return conditions.stream()
                .map(condition -> (Map<?, ?>) condition)
                .filter(condition -> "Ready".equals(condition.get("type")))
                .filter(condition -> condition.get(name) != null)
                .map(condition -> String.valueOf(condition.get(name)))
                .findFirst();
    }
}
