package dev.homeport.server.admin;

import dev.homeport.document.DocumentKey;
import dev.homeport.write.ExpirySweep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Documents whose expiry could not be carried out, and why. The log file tells when one comes, changes or goes. */
public final class HeldExpiries {
    private static final Logger LOG = LoggerFactory.getLogger(HeldExpiries.class);

    private volatile Map<DocumentKey, String> held = Map.of();

    /** What the last sweep found. */
    public void update(List<ExpirySweep.Held> found) {
        Map<DocumentKey, String> before = held;
        Map<DocumentKey, String> now = new TreeMap<>();
        found.forEach(one -> now.put(one.key(), one.reason()));
        now.forEach((key, reason) -> {
            if (!reason.equals(before.get(key))) {
                LOG.warn("expiry of {} is held: {}", key, reason);
            }
        });
        before.keySet().stream()
                .filter(key -> !now.containsKey(key))
                .forEach(key -> LOG.info("expiry of {} is no longer held", key));
        held = now;
    }

    public Optional<String> reason(DocumentKey key) {
        return Optional.ofNullable(held.get(key));
    }

    public int count() {
        return held.size();
    }
}
