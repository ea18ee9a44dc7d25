package dev.homeport.write;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proof that a caller has seen a plan: {@code <expiry>.<hash>.<mac>}. Nothing is stored, and any server with the key can
 * check it.
 */
public final class Confirmation {
    static final Duration VALID = Duration.ofMinutes(15);

    private final byte[] key;

    public Confirmation(byte[] key) {
        this.key = key.clone();
    }

    String issue(String planHash, Instant now) {
        String text = now.plus(VALID).getEpochSecond() + "." + planHash;
        return text + "." + mac(text);
    }

    /** What is to be thought of a token. */
    enum Verdict {
        GOOD,
        /** It was issued here, for another effect. */
        OTHER_PLAN,
        EXPIRED,
        FORGED
    }

    Verdict judge(String token, String planHash, Instant now) {
        int end = token.lastIndexOf('.');
        int dot = token.indexOf('.');
        if (dot <= 0 || end <= dot) {
            return Verdict.FORGED;
        }
        byte[] expected = mac(token.substring(0, end)).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, token.substring(end + 1).getBytes(StandardCharsets.UTF_8))) {
            return Verdict.FORGED;
        }
        if (Long.parseLong(token.substring(0, dot)) < now.getEpochSecond()) {
            return Verdict.EXPIRED;
        }
        return token.substring(dot + 1, end).equals(planHash) ? Verdict.GOOD : Verdict.OTHER_PLAN;
    }

    private String mac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
