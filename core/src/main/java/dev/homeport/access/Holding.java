package dev.homeport.access;

import dev.homeport.fleet.FleetView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One right that a caller has.
 *
 * @param clusterScoped it reaches what concerns a whole cluster
 * @param platform it reaches the fields that are the platform's
 * @param role the role that it comes from, and the grant; empty when the token itself has it
 * @param until when the grant ends; null: it does not
 */
record Holding(
        Rule rule,
        Place place,
        boolean clusterScoped,
        boolean platform,
        String role,
        String grant,
        @Nullable Instant until) {

    static Holding byToken(Rule rule, boolean platform) {
        return new Holding(rule, Place.FLEET, platform, platform, "", "", null);
    }

    boolean allows(String verb, String type, FleetView view) {
        return rule.hasVerb(verb) && rule.hasType(type, view);
    }

    boolean isPlatformAdmin() {
        return platform && rule.isEverything() && place.equals(Place.FLEET);
    }

    /** Whether it is held as long as something lasts that is given by it; null: without an end. */
    boolean lasts(@Nullable Instant end) {
        return until == null || end != null && !end.isAfter(until);
    }
}
