package dev.homeport.observe;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * The newest event of one object with one verdict. Which of two is newer does not depend on the order in which they arrive,
 * so duplicates, replays and late ones change nothing, whichever server takes them.
 *
 * @param subject what it says something about: {@code component/<id>} or {@code type/<plural>}
 * @param object kind, namespace and name on the cluster
 * @param at when the cluster says it happened
 * @param body digest of the event's bytes
 * @param revision the artifact or chart that the event itself names
 * @param answer digest of the answer that the object was made from, as its annotation says
 * @param item digest of the item in that answer, empty when the answer was not known here
 * @param receivedAt when a server took it
 */
public record Report(
        String cluster,
        String subject,
        String object,
        Verdict verdict,
        Instant at,
        long resourceVersion,
        String body,
        String revision,
        String answer,
        String item,
        String reason,
        String message,
        Instant receivedAt) {

    static final Comparator<Report> AGE = Comparator.comparing(Report::at)
            .thenComparingLong(Report::resourceVersion)
            .thenComparing(Report::body);

    /** In front of the object of a report that was made from what a witness said. */
    static final String WITNESS = "Witness/";

    private static final String SET_NAME = "[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?";

    /** Reports with the same key replace each other. */
    public record Key(String object, Verdict verdict) {}

    public Key key() {
        return new Key(object, verdict);
    }

    public boolean isNewerThan(Report other) {
        return AGE.compare(this, other) > 0;
    }

    /**
     * Surely after the other; within one second only the same object's own counter tells. A witness that came later counts as
     * later: if it looked before, it looks again and says so.
     */
    public boolean isAfter(Report other) {
        int byTime = at.compareTo(other.at);
        if (byTime != 0 || object.equals(other.object)) {
            return byTime > 0 || byTime == 0 && resourceVersion > other.resourceVersion;
        }
        return source() == Source.WITNESS && receivedAt.isAfter(other.receivedAt);
    }

    /** The name of the ResourceSet that it is about, if it is one. */
    Optional<String> set() {
        return object.startsWith("ResourceSet/")
                ? Optional.of(object.substring(object.lastIndexOf('/') + 1)).filter(name -> name.matches(SET_NAME))
                : Optional.empty();
    }

    /** From where it is known. */
    public Source source() {
        return object.startsWith(WITNESS) ? Source.WITNESS : Source.EVENT;
    }

    /** Whether Flux Operator sent it, for which the cluster needs an alert of its own. */
    boolean isOfOperator() {
        return source() == Source.WITNESS
                || object.startsWith("ResourceSet/")
                || object.startsWith("ResourceSetInputProvider/");
    }

    public static String component(String id) {
        return "component/" + id;
    }

    public static String type(String plural) {
        return "type/" + plural;
    }
}
