package dev.homeport.write;

import dev.homeport.fleet.Item;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names for effects and plans: equal effect, equal name. Parts are hashed with their length before them. */
final class Digests {
    private final MessageDigest sha;

    Digests() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** @param block the cluster's own names in the answer, when they change */
    static String ofChanges(String type, List<ItemChange> changes, String block) {
        Digests digests = new Digests().add(type).add(block);
        for (ItemChange change : changes) {
            digests.add(change.id()).add(change.before()).add(change.after());
        }
        return digests.hex().substring(0, 32);
    }

    Digests add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    private Digests add(@Nullable Item item) {
        return item == null ? add("-") : add("+").add(item.flatBytes()).add(item.setBytes());
    }

    Digests add(byte[] part) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            sha.update((byte) (part.length >>> shift));
        }
        sha.update(part);
        return this;
    }

    byte[] bytes() {
        return sha.digest();
    }

    String hex() {
        return HexFormat.of().formatHex(bytes());
    }
}
