package dev.homeport.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The header by which Flux's notification-controller signs what it posts: {@code sha256=<HMAC of the body in hex>}. */
public final class EventSignature {
    private static final String PREFIX = "sha256=";
    private static final String ALGORITHM = "HmacSHA256";

    private EventSignature() {}

    public static String of(String key, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return PREFIX + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Whether any of the keys made it; takes the same time whichever it is. */
    public static boolean isValid(String signature, byte[] body, List<String> keys) {
        byte[] given = signature.getBytes(StandardCharsets.UTF_8);
        boolean any = false;
        for (String key : keys) {
            any |= MessageDigest.isEqual(of(key, body).getBytes(StandardCharsets.UTF_8), given);
        }
        return any;
    }
}
