package dev.homeport.server.command;

import dev.homeport.change.CommitHash;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.store.SqlStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The documents that a restore would remove, bring back or change. */
record RestoreImpact(List<DocumentKey> gone, List<DocumentKey> back, List<DocumentKey> other) {
    private static final int SHOWN = 20;

    static RestoreImpact between(SqlStore present, SqlStore next) {
        Map<DocumentKey, String> before = digests(present);
        Map<DocumentKey, String> after = digests(next);
        RestoreImpact impact = new RestoreImpact(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        before.forEach((key, digest) -> {
            String then = after.get(key);
            if (then == null) {
                impact.gone.add(key);
            } else if (!then.equals(digest)) {
                impact.other.add(key);
            }
        });
        after.keySet().stream().filter(key -> !before.containsKey(key)).forEach(impact.back::add);
        return impact;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        add(lines, "would disappear", gone);
        add(lines, "would become another version", other);
        add(lines, "would come back", back);
        if (lines.isEmpty()) {
            lines.add("every document would stay as it is");
        }
        return lines;
    }

    private static void add(List<String> lines, String what, List<DocumentKey> keys) {
        if (!keys.isEmpty()) {
            lines.add(keys.size() + " " + what + ":");
            keys.stream().limit(SHOWN).forEach(key -> lines.add("  " + key));
            if (keys.size() > SHOWN) {
                lines.add("  and " + (keys.size() - SHOWN) + " more");
            }
        }
    }

    private static Map<DocumentKey, String> digests(SqlStore store) {
        Map<DocumentKey, String> digests = new TreeMap<>();
        store.load((Document document) -> digests.put(
                document.key(),
                document.fault()
                        .orElseGet(() -> CommitHash.ofPayload(document.body().canonicalBytes()))));
        return digests;
    }
}
