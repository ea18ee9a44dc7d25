package dev.homeport.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The one secret that all servers of an installation share, kept beside the database and never in it. */
public final class MasterKey {
    public static final int BYTES = 32;

    private final byte[] key;

    public MasterKey(byte[] key) {
        if (key.length < BYTES) {
            throw new IllegalArgumentException("a master key has at least " + BYTES + " bytes");
        }
        this.key = key.clone();
    }

    /** What is stored of a token's secret. */
    public String hash(String secret) {
        return HexFormat.of().formatHex(derive("token", secret));
    }

    /** The key under which a cluster signs its events; derived, so that it need not be stored. */
    public byte[] eventKey(String cluster, int generation) {
        return derive("event", cluster + " " + generation);
    }

    /** The key that plans are confirmed with. */
    public byte[] confirmationKey() {
        return derive("confirmation", "");
    }

    private byte[] derive(String purpose, String what) {
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
