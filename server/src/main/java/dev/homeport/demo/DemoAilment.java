package dev.homeport.demo;

import dev.homeport.sim.Ailment;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Clusters whose pod security does not allow what one change asks for. Taking the change back cures them. */
final class DemoAilment implements Ailment {
    private static final String CAUSE =
            "admission webhook denied the request: violates PodSecurity \"baseline:latest\":"
                    + " host namespaces (hostNetwork=true)";

    @Override
    public Optional<String> of(String cluster, JsonNode component) {
        boolean hostNetwork =
                component.path("values").path("controller").path("hostNetwork").asBoolean(false);
        return hostNetwork ? Optional.of(CAUSE) : Optional.empty();
    }
}
