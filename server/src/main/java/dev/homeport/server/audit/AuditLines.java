package dev.homeport.server.audit;

import dev.homeport.access.MasterKey;
import dev.homeport.json.CanonicalJson;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs lines and checks them. A line is an event with its sequence number, the hash of the line before, and an HMAC-SHA-256 of
 * its own canonical JSON without the member {@code mac}, under a key derived from the master key.
 */
public final class AuditLines {
    private static final String MAC = "mac";

    private final List<byte[]> keys;
    private final String keyName;

    public AuditLines(MasterKey master) {
        this.keys = master.auditKeys();
        this.keyName = master.fingerprints().getFirst().substring(0, 16);
    }

    /** A line and where the stream is after it. */
    record Signed(String line, AuditPosition position) {}

    Signed sign(ObjectNode event, AuditPosition before, long epoch, long revision) {
        long sequence = before.sequence() + 1;
        event.put("seq", sequence)
                .put("prev", before.hash())
                .put("key", keyName)
                .put("log_epoch", epoch)
                .put("log_revision", revision);
        byte[] body = CanonicalJson.bytes(event);
        event.put(MAC, HexFormat.of().formatHex(mac(keys.getFirst(), body)));
        return new Signed(CanonicalJson.text(event), new AuditPosition(sequence, hash(body), epoch, revision));
    }

    /** Where the stream is after a line; nothing when the line is not one that this master key signed. */
    public Optional<Checked> check(String line) {
        ObjectNode event;
        try {
            event = StrictJson.read(line.getBytes(StandardCharsets.UTF_8));
        } catch (RuntimeException e) { // whatever is not JSON
            return Optional.empty();
        }
        String given = event.path(MAC).asString("");
        event.remove(MAC);
        byte[] body = CanonicalJson.bytes(event);
        byte[] expected = given.getBytes(StandardCharsets.US_ASCII);
        boolean genuine = false;
        for (byte[] key : keys) {
            genuine |= MessageDigest.isEqual(
                    HexFormat.of().formatHex(mac(key, body)).getBytes(StandardCharsets.US_ASCII), expected);
        }
        return genuine
                ? Optional.of(new Checked(
                        event.path("seq").longValue(),
                        event.path("prev").asString(""),
                        hash(body),
                        event.path("log_epoch").longValue(),
                        event.path("log_revision").longValue(),
                        event.path("kind").asString("")))
                : Optional.empty();
    }

    /** What a genuine line says of the stream. */
    public record Checked(long sequence, String previous, String hash, long epoch, long revision, String kind) {
        AuditPosition position() {
            return new AuditPosition(sequence, hash, epoch, revision);
        }
    }

    private static byte[] mac(byte[] key, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    private static String hash(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
