package dev.homeport.sim;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A provider of a simulated cluster and the set of objects that it feeds: what they hold between polls. */
final class Provider {
    final SimCluster cluster;
    final String plural;
    final String path;

    /** In a row. */
    int failures;

    /** Its set refused the last answer. */
    boolean buildFailed;

    /** What is no longer wanted and stays nevertheless. */
    final Map<String, SimItem> kept = new TreeMap<>();

    private byte[] body = {};
    private long revision = -1;
    private boolean told;
    private String digest = "";
    private Map<String, SimItem> inventory = Map.of();

    Provider(SimCluster cluster, String plural, Settings.Shape shape) {
        this.cluster = cluster;
        this.plural = plural;
        this.path = "/api/v2/flux/clusters/" + cluster.identity().dns()
                + switch (shape) {
                    case SETS -> "/sets/";
                    case FLAT -> "/";
                }
                + plural;
    }

    /** The difference that an answer made. */
    record Difference(List<SimItem> added, List<SimItem> changed, List<SimItem> gone) {}

    Map<String, SimItem> inventory() {
        return inventory;
    }

    String digest() {
        return digest;
    }

    /** The last that an answer was of; -1: none said. */
    long revision() {
        return revision;
    }

    /** Whether an answer was ever applied. */
    boolean isTold() {
        return told;
    }

    /** Whether the same was said last time; then Flux's revision stays the same and no set is built. */
    boolean isOld(byte[] answer) {
        return Arrays.equals(body, hash(answer));
    }

    /** What is unchanged was confirmed to be so at this revision. */
    void confirmed(long at) {
        revision = Math.max(revision, at);
    }

    Difference apply(SetInput.Rendered set, byte[] answer, long at, Shared<Map<String, SimItem>> shared) {
        List<SimItem> added = new ArrayList<>();
        List<SimItem> changed = new ArrayList<>();
        List<SimItem> gone = new ArrayList<>();
        set.items().forEach((id, item) -> {
            SimItem before = inventory.get(id);
            if (before == null) {
                added.add(item);
            } else if (before.content() != item.content()) {
                changed.add(item);
            }
        });
        inventory.forEach((id, item) -> {
            if (!set.items().containsKey(id)) {
                gone.add(item);
            }
        });
        inventory = shared.one(Map.copyOf(set.items()));
        digest = set.digest();
        body = hash(answer);
        revision = at >= 0 ? at : revision;
        told = true;
        return new Difference(added, changed, gone);
    }

    private static byte[] hash(byte[] answer) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(answer);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
