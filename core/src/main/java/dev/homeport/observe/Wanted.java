package dev.homeport.observe;

import dev.homeport.document.Document;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.Answer;
import dev.homeport.fleet.Answers;
import dev.homeport.fleet.ClusterLife;
import dev.homeport.fleet.FleetView;
import dev.homeport.fleet.Item;
import dev.homeport.fleet.Rendering;
import dev.homeport.fleet.Resolution;
import dev.homeport.fleet.WireShape;
import dev.homeport.json.StrictJson;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The desired components of a cluster, as far as its reports can confirm them.
 *
 * @param answer digest of the answer they come from, empty without an answer
 * @param components by id
 */
public record Wanted(String answer, SortedMap<String, Part> components) {
    /** Of the digest of an item; the digest of an answer is longer. */
    public static final int DIGEST_LENGTH = 16;

    /**
     * One component.
     *
     * @param digest names the item's content, so that a change of any of its values is another one
     * @param tag the artifact or chart version that was asked for
     * @param kind of its main object on the cluster
     */
    public record Part(String digest, String tag, String kind) {}

    public static final Wanted NOTHING = new Wanted("", new TreeMap<>());

    public static Wanted of(FleetView view, Document cluster) {
        return Answers.of(view, cluster, components(view)) instanceof Answer.Served served
                ? new Wanted(Rendering.render(served, WireShape.SET).digest(), parts(served.items()))
                : NOTHING;
    }

    /** What the layers say, whether or not the cluster is leaving: what may still be on it. */
    public static Wanted regardlessOfLife(FleetView view, Document cluster) {
        return Answers.resolution(view, cluster, ClusterLife.NEWBORN, components(view))
                        instanceof Resolution.Items items
                ? new Wanted("", parts(items.items()))
                : NOTHING;
    }

    static TypeDefinition components(FleetView view) {
        return view.types().named(Types.PLATFORM_COMPONENT).orElseThrow();
    }

    private static SortedMap<String, Part> parts(List<Item> items) {
        SortedMap<String, Part> parts = new TreeMap<>();
        for (Item item : items) {
            if (item.enabled()) {
                byte[] bytes = item.setBytes();
                JsonNode tree = StrictJson.read(bytes);
                parts.put(
                        item.id(),
                        new Part(
                                digest(bytes),
                                tree.path("source").path("oci_tag").asString(""),
                                tree.path("kind").asString("").equals("helm") ? "HelmRelease" : "Kustomization"));
            }
        }
        return parts;
    }

    private static String digest(byte[] item) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(item);
            return HexFormat.of().formatHex(hash).substring(0, DIGEST_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
