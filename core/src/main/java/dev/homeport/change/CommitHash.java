package dev.homeport.change;

import dev.homeport.document.DocumentKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * The hash chain. A change's digest covers the digest of its payload and not the payload, so that a secret can be blanked
 * later without breaking the chain.
 */
public final class CommitHash {
    /** The hash before the first commit. */
    public static final String GENESIS = "0".repeat(64);

    /** Stands for "no document" where a payload digest is expected. */
    public static final String NOTHING = "";

    private final MessageDigest digest = sha256();

    private CommitHash() {}

    public static String ofPayload(byte[] canonicalBytes) {
        return hex(sha256().digest(canonicalBytes));
    }

    public static String ofChange(DocumentKey key, String payloadDigest) {
        return new CommitHash().add(key.type()).add(key.id()).add(payloadDigest).hex();
    }

    /** The digest of a row of current documents; per type they add up to the {@link Fingerprint}. */
    public static String ofRow(DocumentKey key, long revision, String payloadDigest) {
        return new CommitHash()
                .add(key.type())
                .add(key.id())
                .add(Long.toString(revision))
                .add(payloadDigest)
                .hex();
    }

    /** Covers every field of the header but {@code hash} itself, then the digests of the changes in order. */
    public static String ofCommit(Commit header, List<String> changeDigests) {
        CommitHash hash = new CommitHash()
                .add(header.previousHash())
                .add(Long.toString(header.revision()))
                .add(Long.toString(header.epoch()))
                .add(header.at().toString())
                .add(header.actor().toString())
                .add(header.reason())
                .add(header.requestId())
                .add(header.idempotencyKey().orElse(""));
        new TreeMap<>(header.marks()).forEach((name, value) -> hash.add(name).add(value));
        hash.add(Integer.toString(header.changeCount()));
        changeDigests.forEach(hash::add);
        return hash.hex();
    }

    /** Each part is preceded by its length, so that no two lists of parts share a hash. */
    private CommitHash add(String part) {
        byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
        for (int shift = 24; shift >= 0; shift -= 8) {
            digest.update((byte) (utf8.length >>> shift));
        }
        digest.update(utf8);
        return this;
    }

    private String hex() {
        return hex(digest.digest());
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
