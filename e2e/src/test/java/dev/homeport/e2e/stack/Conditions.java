package dev.homeport.e2e.stack;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What an object of Flux's says of itself. */
public final class Conditions {
    private Conditions() {}

    /** The Ready condition's status: True, False, Unknown; Unknown as well where there is none yet. */
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
        Object seen = object.get("status", "observedGeneration");
        boolean current = seen == null
                || Objects.equals(
                        ((Number) seen).longValue(), object.getMetadata().getGeneration());
        return current && ready(object).equals("True");
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
                .map(condition -> String.valueOf(condition.get(name)))
                .findFirst();
    }
}
