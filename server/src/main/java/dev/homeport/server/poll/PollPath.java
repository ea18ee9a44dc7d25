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

    static Optional<PollPath> parse(String path) {
        if (!path.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String rest = path.substring(PREFIX.length());
        if (rest.isEmpty() || rest.equals("/")) {
            return Optional.of(new Clusters());
        }
        if (rest.charAt(0) != '/') {
            return Optional.empty();
        }
        String[] parts = rest.substring(1).split("/", -1);
        if (parts.length == 2 && !parts[1].equals("events")) {
            return Optional.of(new Answers(parts[0], parts[1], WireShape.FLAT));
        }
        if (parts.length == 3 && parts[1].equals("sets")) {
            return Optional.of(new Answers(parts[0], parts[2], WireShape.SET));
        }
        return Optional.empty();
    }
}
