package dev.homeport.observe;

import java.time.Instant;
import java.util.Comparator;

/**
 * What a cluster last said about one object that it was asked about. Which of two is newer does not depend on the order in
 * which they arrive.
 *
 * @param id of the {@link WitnessQuestion}
 * @param value as the cluster sent it: base64, {@link #ABSENT} or {@link #UNREADABLE}
 * @param at when the cluster says it looked
 * @param resourceVersion of the set that looked
 * @param body digest of the event's bytes
 * @param receivedAt when a server took it
 */
public record Witness(
        String cluster, String id, String value, Instant at, long resourceVersion, String body, Instant receivedAt) {

    /** The object does not exist. */
    public static final String ABSENT = "-";

    /** The cluster looked, but its answer could not be read. */
    public static final String UNREADABLE = "?";

    /** Under this id is kept that an answer could not be read: it must not replace what is known. */
    public static final String OF_UNREADABLE = "unreadable";

    private static final Comparator<Witness> AGE = Comparator.comparing(Witness::at)
            .thenComparingLong(Witness::resourceVersion)
            .thenComparing(Witness::body);

    public boolean isNewerThan(Witness other) {
        return AGE.compare(this, other) > 0;
    }

    public boolean isAbsent() {
        return value.equals(ABSENT);
    }

    public boolean isUnreadable() {
        return value.equals(UNREADABLE);
    }

    /** What the cluster saw; empty fields when the object is absent or the answer unreadable. */
    public WitnessedObject seen() {
        return WitnessedObject.read(value);
    }
}
