package dev.homeport.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The one secret that all servers of an installation share, kept beside the database and never in it. While it is being
 * replaced there are several: the newest makes hashes, and each of them recognises its own.
 */
public final class MasterKey {
    public static final int BYTES = 32;

    private static final int FINGERPRINT_BYTES = 16;

    private static final byte[] TOKEN = "token\0".getBytes(StandardCharsets.UTF_8);

    private final byte[][] keys;

    /** One for each key, ready to hash tokens: every poll does it, and setting one up takes longer than using it. */
    private final ThreadLocal<Mac[]> tokenMacs = ThreadLocal.withInitial(this::newMacs);

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

    /** Tells keys apart without telling anything of them; the newest key's comes first. */
    public List<String> fingerprints() {
        return Arrays.stream(keys)
                .map(key -> HexFormat.of().formatHex(derive(key, "fingerprint", ""), 0, FINGERPRINT_BYTES))
                .toList();
    }

    /** The stored form of a token's secret. */
    public String hash(String secret) {
        return HexFormat.of().formatHex(derive(keys[0], "token", secret));
    }

    /** Whether the hash is that of the secret under any of the keys; takes the same time whichever it is. */
    public boolean matches(String secret, String hash) {
        byte[] expected;
        try {
            expected = HexFormat.of().parseHex(hash);
        } catch (IllegalArgumentException e) {
            return false;
        }
        byte[] given = secret.getBytes(StandardCharsets.UTF_8);
        boolean any = false;
        for (Mac mac : tokenMacs.get()) {
            mac.update(TOKEN);
            any |= MessageDigest.isEqual(mac.doFinal(given), expected);
        }
        return any;
    }

    private Mac[] newMacs() {
        Mac[] macs = new Mac[keys.length];
        for (int i = 0; i < keys.length; i++) {
            macs[i] = mac(keys[i]);
        }
        return macs;
    }

    /** A cluster's first event key. */
    public String eventKey(String cluster, long generation) {
        return eventKey(cluster, generation, 1);
    }

    /**
     * The key under which a cluster signs its events, as it stands in a Secret; derived, so that it need not be stored.
     *
     * @param generation another one, another key: the revision that made the cluster, so that a later one of the same id has
     *     nothing from it
     * @param number which of the cluster's keys it is, from 1
     */
    public String eventKey(String cluster, long generation, long number) {
        return TokenText.eventKey(eventKey(keys[0], cluster, generation, number), BYTES);
    }

    /**
     * The keys of a cluster that may not have been given the newest yet: that one and the one before, under every master key;
     * the newest first, each in the form of today and in that of older releases.
     */
    public List<String> eventKeys(String cluster, long generation, long number) {
        List<String> all = new ArrayList<>();
        for (long one = number; one >= Math.max(1, number - 1); one--) {
            for (byte[] key : keys) {
                byte[] derived = eventKey(key, cluster, generation, one);
                all.add(TokenText.eventKey(derived, BYTES));
                // Clusters that were bootstrapped by older releases have the same key in this form.
                all.add(HexFormat.of().formatHex(derived, 0, BYTES));
            }
        }
        return all;
    }

    /** The key, and after it what makes its id. */
    private static byte[] eventKey(byte[] master, String cluster, long generation, long number) {
        String which = number == 1 ? "" : "\0" + number;
        byte[] info = ("homeport event\0" + cluster + "\0" + generation + which).getBytes(StandardCharsets.UTF_8);
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.ofExtract().addIKM(master).thenExpand(info, BYTES + TokenText.ID_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** The key that plans are confirmed with. */
    public byte[] confirmationKey() {
        return derive(keys[0], "confirmation", "");
    }

    /** Keys under which a server keeps something in a browser and knows it again; the newest first, which seals. */
    public List<byte[]> sealingKeys() {
        return Arrays.stream(keys).map(key -> derive(key, "sealing", "")).toList();
    }

    /** Keys that lines of the forwarded audit are signed with; the newest first, which signs. */
    public List<byte[]> auditKeys() {
        return Arrays.stream(keys).map(key -> derive(key, "audit", "")).toList();
    }

    private static byte[] derive(byte[] key, String purpose, String what) {
        Mac mac = mac(key);
        mac.update((purpose + "\0").getBytes(StandardCharsets.UTF_8));
        return mac.doFinal(what.getBytes(StandardCharsets.UTF_8));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
