package dev.homeport.access;

import dev.homeport.fleet.FleetView;

/**
 * One right that a caller has.
 *
 * @param clusterScoped it reaches what concerns a whole cluster
 * @param platform it reaches the fields that are the platform's
 * @param role the role that it comes from, and the grant; empty when the token itself has it
 */
record Holding(Rule rule, Place place, boolean clusterScoped, boolean platform, String role, String grant) {

    static Holding byToken(Rule rule, boolean platform) {
        return new Holding(rule, Place.FLEET, platform, platform, "", "");
    }

    boolean allows(String verb, String type, FleetView view) {
        return rule.hasVerb(verb) && rule.hasType(type, view);
    }

    boolean isPlatformAdmin() {
        return platform && rule.isEverything() && place.equals(Place.FLEET);
    }
}
