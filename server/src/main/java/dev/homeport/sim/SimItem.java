package dev.homeport.sim;

import java.util.Optional;

/**
 * One item of a set as it is on a simulated cluster.
 *
 * @param kind helm or kustomize, empty if it is not a component
 * @param tag the artifact or chart version
 * @param kept whether Flux keeps its objects when the item is no longer delivered
 * @param content a hash of all of it, so that any change is noticed
 * @param digest of a component's item, as the annotation on its objects has it
 * @param ailment why it fails on this cluster, if it does
 */
record SimItem(
        String id, String kind, String tag, boolean kept, long content, String digest, Optional<String> ailment) {
    boolean isComponent() {
        return !kind.isEmpty();
    }
}
