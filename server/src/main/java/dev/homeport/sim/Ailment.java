package dev.homeport.sim;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Which components do not come up. */
@FunctionalInterface
public interface Ailment {
    Ailment NONE = (cluster, component) -> Optional.empty();

    /**
     * What the cluster reports instead of success.
     *
     * @param component the item as the cluster was given it
     */
    Optional<String> of(String cluster, JsonNode component);
}
