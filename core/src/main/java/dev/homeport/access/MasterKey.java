package dev.homeport.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The one secret that all servers of an installation share, kept beside the database and never in it. While it is being
 * replaced there are several: the newest makes hashes, and each of them recognises its own.
 */
public final class MasterKey {
    public static final int BYTES = 32;

    private final byte[][] keys;

    public MasterKey(byte[] key) {
        this(List.of(key));
    }

    /** Newest first. */
    public MasterKey(List<byte[]> keys) {
        if (keys.isEmpty() || keys.stream().anyMatch(key -> key.length < BYTES)) {
            throw new IllegalArgumentException("a master key has at least " + BYTES + " bytes");
        }
        this.keys = keys.stream().map(byte[]::clone).toArray(byte[][]::new);
    }

    /** What is stored of a token's secret. */
    public String hash(String secret) {
        return HexFormat.of().formatHex(derive(keys[0], "token", secret));
    }

    /** Whether the hash is that of the secret under any of the keys; takes the same time whichever it is. */
    public boolean matches(String secret, String hash) {
        byte[] expected = hash.getBytes(StandardCharsets.UTF_8);
        boolean any = false;
        for (byte[] key : keys) {
            byte[] made = HexFormat.of().formatHex(derive(key, "token", secret)).getBytes(StandardCharsets.UTF_8);
            any |= MessageDigest.isEqual(made, expected);
        }
        return any;
    }

    /** The key under which a cluster signs its events; derived, so that it need not be stored. */
    public byte[] eventKey(String cluster, int generation) {
        return derive(keys[0], "event", cluster + " " + generation);
    }

    /** The key that plans are confirmed with. */
    public byte[] confirmationKey() {
        return derive(keys[0], "confirmation", "");
    }

    private static byte[] derive(byte[] key, String purpose, String what) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((purpose + "\0").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(what.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
