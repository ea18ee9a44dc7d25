package dev.homeport.sim;

import java.util.Optional;

/**
 * One item of a set as it is on a simulated cluster.
 *
 * @param kind helm or kustomize, empty for what is no component
 * @param tag the artifact or chart version
 * @param kept whether Flux leaves its objects alone when it is no longer told of it
 * @param content a hash of all of it, so that any change is noticed
 * @param digest of a component's item, as the annotation on its objects has it
 * @param ailment why it does not come up on this cluster, if it does not
 */
record SimItem(
        String id, String kind, String tag, boolean kept, long content, String digest, Optional<String> ailment) {
    boolean isComponent() {
        return !kind.isEmpty();
    }
}
