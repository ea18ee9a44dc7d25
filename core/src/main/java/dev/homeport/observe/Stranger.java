package dev.homeport.observe;

import java.time.Instant;

/**
 * Somebody who asks and is not known: a wrong token, a name that no cluster has, a wrong signature.
 *
 * @param name the DNS name in the path
 * @param why what was wrong, in one word
 */
public record Stranger(String name, String address, String why, Instant firstAt, Instant lastAt, long count) {
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
