package dev.homeport.observe;

import java.time.Instant;

/**
 * An unknown client: a wrong token, a name that no cluster has, a wrong signature.
 *
 * @param name the DNS name in the path
 * @param why the reason, as one word
 */
public record Stranger(String name, String address, String why, Instant firstAt, Instant lastAt, long count) {
    /** Not wrong in itself: a poll that was refused because nothing is answered in quarantine. */
    public static final String IN_QUARANTINE = "poll in quarantine";

    /** A cluster that is known, with an answer that is not. */
    public static final String UNKNOWN_ANSWER = "report of an answer that was not given";

    /** Which of them it is. */
    public record Key(String name, String address, String why) {}

    public Key key() {
        return new Key(name, address, why);
    }

    /** Both, as one. */
    public Stranger and(Stranger other) {
        return new Stranger(
                name,
                address,
                why,
                firstAt.isBefore(other.firstAt) ? firstAt : other.firstAt,
                lastAt.isAfter(other.lastAt) ? lastAt : other.lastAt,
                count + other.count);
    }
}
