package dev.homeport.access;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

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
    private static final Pattern FORM = Pattern.compile(
            "hp([cjps])_([a-z0-9]{4,32})_([0-9A-Za-z]{" + SECRET_LENGTH + "})([0-9A-Za-z]{" + CRC_LENGTH + "})");

    /** Who may hold one. */
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

        static Kind of(char letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no kind of token: " + letter);
        }
    }

    /** A new token from random bytes: {@link #ID_BYTES} for the id, {@link #SECRET_BYTES} for the secret. */
    public static TokenText mint(Kind kind, byte[] idBytes, byte[] secretBytes) {
        String id = "t" + new BigInteger(1, idBytes).toString(36);
        return new TokenText(kind, id, base62(new BigInteger(1, secretBytes), SECRET_LENGTH));
    }

    public static Optional<TokenText> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        TokenText token = new TokenText(Kind.of(form.group(1).charAt(0)), form.group(2), form.group(3));
        return token.checksum().equals(form.group(4)) ? Optional.of(token) : Optional.empty();
    }

    /** The whole token. To be shown once and never logged. */
    public String reveal() {
        return body() + checksum();
    }

    private String body() {
        return "hp" + kind.letter + "_" + id + "_" + secret;
    }

    private String checksum() {
        CRC32 crc = new CRC32();
        crc.update(body().getBytes(StandardCharsets.UTF_8));
        return base62(BigInteger.valueOf(crc.getValue()), CRC_LENGTH);
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
