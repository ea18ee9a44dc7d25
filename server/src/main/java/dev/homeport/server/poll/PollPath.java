package dev.homeport.server.poll;

import dev.homeport.fleet.WireShape;
import java.util.Optional;

/** The paths of the poll plane, taken apart. */
public sealed interface PollPath {
    String PREFIX = "/api/v2/flux/clusters";

    /** One cluster's answers of one type. */
    record Answers(String dns, String plural, WireShape shape) implements PollPath {}

    /** All clusters, for provisioners. */
    record Clusters() implements PollPath {}

    /** The name of the cluster whose events the path takes. */
    static Optional<String> eventsOf(String path) {
        String end = "/events";
        if (!path.startsWith(PREFIX + "/") || !path.endsWith(end)) {
            return Optional.empty();
        }
        int from = PREFIX.length() + 1;
        int to = path.length() - end.length();
        return to > from && path.indexOf('/', from) == to ? Optional.of(path.substring(from, to)) : Optional.empty();
    }

    /** Whether it is the path of {@link Clusters}. */
    static boolean isClusters(String path) {
        return path.equals(PREFIX) || path.equals(PREFIX + "/");
    }

    static Optional<PollPath> parse(String path) {
        if (isClusters(path)) {
            return Optional.of(new Clusters());
        }
        if (!path.startsWith(PREFIX + "/")) {
            return Optional.empty();
        }
        int first = PREFIX.length();
        int second = path.indexOf('/', first + 1);
        int third = second < 0 ? -1 : path.indexOf('/', second + 1);
        if (second < 0 || third >= 0 && path.indexOf('/', third + 1) >= 0) {
            return Optional.empty();
        }
        String dns = path.substring(first + 1, second);
        String type = path.substring((third < 0 ? second : third) + 1);
        if (third < 0) {
            return type.equals("events") ? Optional.empty() : Optional.of(new Answers(dns, type, WireShape.FLAT));
        }
        return path.substring(second + 1, third).equals("sets")
                ? Optional.of(new Answers(dns, type, WireShape.SET))
                : Optional.empty();
    }
}
