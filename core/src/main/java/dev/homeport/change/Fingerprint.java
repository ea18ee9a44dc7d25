package dev.homeport.change;

import java.util.HexFormat;

/**
 * The sum, modulo 2^128, of the row digests of a type. Adding and taking away a row are O(1), the order does not matter, and
 * a missing, doubled or altered row changes it.
 */
public record Fingerprint(long high, long low) {
    public static final Fingerprint ZERO = new Fingerprint(0, 0);

    public Fingerprint plus(String rowDigest) {
        Fingerprint row = parse(rowDigest.substring(0, 32));
        long sum = low + row.low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        return new Fingerprint(high + row.high + carry, sum);
    }

    public Fingerprint minus(String rowDigest) {
        Fingerprint row = parse(rowDigest.substring(0, 32));
        long borrow = Long.compareUnsigned(low, row.low) < 0 ? 1 : 0;
        return new Fingerprint(high - row.high - borrow, low - row.low);
    }

    public static Fingerprint parse(String hex) {
        return new Fingerprint(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
