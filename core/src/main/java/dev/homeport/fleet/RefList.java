package dev.homeport.fleet;

import dev.homeport.json.PackedCursor;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads a layer's list of references, sorted by id. Clusters that are alike name the same things, so a list that was read
 * before is found by its bytes.
 */
final class RefList {
    /** A few megabytes at most. Where every cluster differs it starts afresh, which costs little. */
    private static final int MAX_KNOWN = 2048;

    private static final Comparator<Ref> BY_ID = Comparator.comparing(Ref::id);

    private static final Map<RefList, Ref[]> KNOWN = new ConcurrentHashMap<>();

    private final byte[] packed;
    private final int hash;

    private RefList(byte[] packed) {
        this.packed = packed;
        this.hash = Arrays.hashCode(packed);
    }

    /** The array is shared: read only. */
    static Ref[] read(byte[] packed) {
        RefList list = new RefList(packed);
        Ref[] known = KNOWN.get(list);
        if (known == null) {
            known = refs(new PackedCursor(packed));
            if (KNOWN.size() >= MAX_KNOWN) {
                KNOWN.clear();
            }
            KNOWN.put(list, known);
        }
        return known;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RefList list && Arrays.equals(packed, list.packed);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    private static Ref[] refs(PackedCursor cursor) {
        Ref[] all = new Ref[cursor.array()];
        boolean sorted = true;
        for (int i = 0; i < all.length; i++) {
            all[i] = ref(cursor);
            sorted &= i == 0 || BY_ID.compare(all[i - 1], all[i]) < 0;
        }
        if (!sorted) {
            Arrays.sort(all, BY_ID);
        }
        return all;
    }

    private static Ref ref(PackedCursor cursor) {
        String id = "";
        Boolean enabled = null;
        String path = null;
        String tag = null;
        boolean assign = true;
        boolean remove = false;
        String owner = null;
        String reason = null;
        Instant expiresAt = null;
        for (String field : cursor.object()) {
            switch (field) {
                case "id" -> id = cursor.text();
                case "enabled" -> enabled = cursor.bool();
                case "component_path" -> path = cursor.text();
                case "oci_tag" -> tag = cursor.text();
                case "assign" -> assign = cursor.bool();
                case "remove" -> remove = cursor.bool();
                case "owner" -> owner = cursor.text();
                case "reason" -> reason = cursor.text();
                case "expires_at" -> expiresAt = Instant.parse(cursor.text());
                default -> cursor.skip();
            }
        }
        Note note =
                owner == null && reason == null && expiresAt == null ? Note.NONE : new Note(owner, reason, expiresAt);
        return new Ref(id, enabled, path, tag, assign, remove, note);
    }
}
