package dev.homeport.access;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A token as its holder has it: {@code hp<kind>_<id>_<secret><crc>}. The id is public and is what logs show; the checksum lets
 * a scanner recognise one, and lets us refuse a mistyped one without looking it up.
 */
public record TokenText(Kind kind, String id, String secret) {
    public static final int SECRET_BYTES = 32;
    public static final int ID_BYTES = 7;

    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SECRET_LENGTH = 43;
    private static final int CRC_LENGTH = 6;
    private static final int ID_AT = "hpc_".length();
    private static final int LEAST_ID = 4;
    private static final int MOST_ID = 32;

    /** The kinds of token holders. */
    public enum Kind {
        CLUSTER('c'),
        JOIN('j'),
        PERSON('p'),
        SERVICE('s');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        /** The word in a token's document. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        static @Nullable Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            return null;
        }
    }

    /** A new token from random bytes: {@link #ID_BYTES} for the id, {@link #SECRET_BYTES} for the secret. */
    public static TokenText mint(Kind kind, byte[] idBytes, byte[] secretBytes) {
        String id = "t" + new BigInteger(1, idBytes).toString(36);
        return new TokenText(kind, id, base62(new BigInteger(1, secretBytes), SECRET_LENGTH));
    }

    /**
     * A cluster's key for events in the same form, so that scanners recognise it: {@code hpe_<id>_<key><crc>}.
     *
     * @param derived as many bytes of the key as said, and then those of the id
     */
    static String eventKey(byte[] derived, int keyBytes) {
        BigInteger id = new BigInteger(1, Arrays.copyOfRange(derived, keyBytes, derived.length));
        BigInteger key = new BigInteger(1, Arrays.copyOf(derived, keyBytes));
        String body = "hpe_e" + id.toString(36) + "_" + base62(key, SECRET_LENGTH);
        return body + checksum(body, body.length());
    }

    /** Read by hand rather than by a pattern, as every poll brings one. */
    public static Optional<TokenText> parse(String text) {
        int secretAt = text.length() - CRC_LENGTH - SECRET_LENGTH;
        int idLength = secretAt - 1 - ID_AT;
        if (idLength < LEAST_ID
                || idLength > MOST_ID
                || !text.startsWith("hp")
                || text.charAt(ID_AT - 1) != '_'
                || text.charAt(secretAt - 1) != '_'
                || !isId(text, ID_AT, secretAt - 1)
                || !isBase62(text, secretAt, text.length())) {
            return Optional.empty();
        }
        Kind kind = Kind.of(text.charAt(ID_AT - 2));
        int end = text.length() - CRC_LENGTH;
        return kind != null && checksum(text, end).equals(text.substring(end))
                ? Optional.of(new TokenText(kind, text.substring(ID_AT, secretAt - 1), text.substring(secretAt, end)))
                : Optional.empty();
    }

    private static boolean isId(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBase62(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')) {
                return false;
            }
        }
        return true;
    }

    /** The whole token. To be shown once and never logged. */
    public String reveal() {
        String body = body();
        return body + checksum(body, body.length());
    }

    private String body() {
        return "hp" + kind.letter + "_" + id + "_" + secret;
    }

    /** Of the first characters, which are ASCII. */
    private static String checksum(String text, int length) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII), 0, length);
        char[] digits = new char[CRC_LENGTH];
        long rest = crc.getValue();
        for (int i = CRC_LENGTH - 1; i >= 0; i--) {
            digits[i] = DIGITS.charAt((int) (rest % DIGITS.length()));
            rest /= DIGITS.length();
        }
        return new String(digits);
    }

    private static String base62(BigInteger value, int length) {
        StringBuilder out = new StringBuilder();
        BigInteger base = BigInteger.valueOf(DIGITS.length());
        BigInteger rest = value;
        while (rest.signum() > 0 || out.length() < length) {
            BigInteger[] parts = rest.divideAndRemainder(base);
            out.append(DIGITS.charAt(parts[1].intValue()));
            rest = parts[0];
        }
        return out.reverse().toString();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "hp" + kind.letter + "_" + id + "_…";
    }
}
