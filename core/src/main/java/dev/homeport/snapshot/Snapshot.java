package dev.homeport.snapshot;

import dev.homeport.access.AccessView;
import dev.homeport.access.Place;
import dev.homeport.change.Head;
import dev.homeport.collection.Bits;
import dev.homeport.collection.SortedTree;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.TypeDefinition;
import dev.homeport.document.Types;
import dev.homeport.fleet.AnswerCache;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole desired state at one revision. Immutable; the next one shares all that did not change.
 *
 * <p>Clusters have slots, small numbers, so that "the clusters that use this" is a set of bits.
 */
public final class Snapshot implements AccessView {
    private final Head head;
    private final Instant at;
    private final TypeCatalog types;
    private final Map<String, DocumentTable> documents;
    private final ClusterIndex index;
    private final SortedTree<String, SortedTree<DocumentKey, DocumentKey>> users;
    private final SortedTree<String, DocumentKey> expiries;
    private final Object sharedState;

    Snapshot(SnapshotEditor editor) {
        this.head = editor.head;
        this.at = editor.at;
        this.types = editor.types;
        this.documents = new HashMap<>(editor.documents);
        this.index = editor.index;
        this.users = editor.users;
        this.expiries = editor.expiries;
        this.sharedState = editor.sharedState;
    }

    public Head head() {
        return head;
    }

    public long revision() {
        return head.revision();
    }

    /** The time of the newest commit. */
    public Instant at() {
        return at;
    }

    @Override
    public TypeCatalog types() {
        return types;
    }

    @Override
    public @Nullable Document document(String type, String id) {
        DocumentTable ofType = documents.get(type);
        return ofType == null ? null : ofType.get(id);
    }

    public Optional<Document> find(DocumentKey key) {
        return Optional.ofNullable(document(key.type(), key.id()));
    }

    /** All documents of a type, ordered by id; the tree also pages. */
    public SortedTree<String, Document> all(String type) {
        return documents.getOrDefault(type, DocumentTable.EMPTY).tree();
    }

    /** The cluster that a DNS name or an alias belongs to. */
    public Optional<Document> clusterByDns(String dns) {
        String id = index.byDns().get(dns);
        return id == null ? Optional.empty() : Optional.ofNullable(document(Types.CLUSTER, id));
    }

    /** Slots of the clusters whose own document refers to {@code plural/id}, or has the label {@code label/key=value}. */
    public Bits clustersWith(String key) {
        return index.clustersWith(key);
    }

    /** Documents other than clusters that refer to {@code plural/id}, or are indexed under a key of their own. */
    @Override
    public Iterable<DocumentKey> users(String reference) {
        SortedTree<DocumentKey, DocumentKey> known = users.get(reference);
        return known == null ? List.of() : known.values();
    }

    @Override
    public Iterable<Document> documents(String type) {
        return all(type).values();
    }

    @Override
    public Iterable<Document> probes() {
        boolean own = types.named(Types.PROBE)
                .filter(type -> type.part() == TypeDefinition.Part.CONTROL)
                .isPresent();
        return own ? all(Types.PROBE).values() : List.of(); // a user's type may have had that name before
    }

    @Override
    public Iterable<Document> clustersOf(String workspace) {
        BitSet slots = clustersIn(new Place(null, workspace, null));
        return () -> slots.stream().mapToObj(this::clusterInSlot).iterator();
    }

    /** Slots of the clusters that have no owner. */
    public Bits clustersWithoutOwner() {
        return index.clustersWith(ClusterKeys.WITHOUT_OWNER);
    }

    /** Slots of the clusters whose documents cannot be read, so that their DNS names are unknown. */
    public Bits unreadableClusters() {
        return index.clustersWith(ClusterKeys.UNREADABLE);
    }

    /** Slots of all clusters. */
    public BitSet clusterSlots() {
        BitSet slots = new BitSet();
        slots.set(0, index.slots().end());
        index.freeSlots().forEach(slots::clear);
        return slots;
    }

    /** Slots of the clusters in a part of the fleet. */
    public BitSet clustersIn(Place place) {
        BitSet slots = new BitSet();
        String cluster = place.cluster();
        Set<String> environments = place.environments();
        if (cluster != null) {
            Integer slot = slotOf(cluster);
            if (slot != null) {
                slots.set(slot);
            }
        } else if (place.workspace() != null) {
            clustersWith("workspaces/" + place.workspace()).addTo(slots);
        } else if (environments == null) {
            return clusterSlots();
        }
        if (environments == null) {
            return slots;
        }
        BitSet within = new BitSet();
        environments.forEach(
                environment -> clustersWith("environments/" + environment).addTo(within));
        if (cluster == null && place.workspace() == null) {
            return within;
        }
        slots.and(within);
        return slots;
    }

    public Document clusterInSlot(int slot) {
        String id = index.slots().get(slot);
        Document cluster = id == null ? null : document(Types.CLUSTER, id);
        if (cluster == null) {
            throw new IllegalStateException("no cluster in slot " + slot);
        }
        return cluster;
    }

    public @Nullable Integer slotOf(String cluster) {
        return index.slotOf().get(cluster);
    }

    /** All values of a label or reference with how many clusters have it: keys that start with the prefix, in order. */
    public Iterable<Map.Entry<String, Bits>> clusterKeysFrom(String prefix) {
        return index.members().from(prefix);
    }

    /** Documents with something that expires, soonest first; keys are {@code time type/id}. */
    public Iterable<Map.Entry<String, DocumentKey>> expiries() {
        return expiries.entries();
    }

    /**
     * What the cluster's answers depend on: its own revision, that of its life, and an object that is another one whenever
     * anything but a cluster has changed, or the log was loaded again.
     */
    public AnswerCache.State stateOf(Document cluster) {
        Document life = document(Types.CLUSTER_LIFE, cluster.id());
        return new AnswerCache.State(
                sharedState,
                cluster.updated().revision(),
                life == null ? 0 : life.updated().revision());
    }

    SnapshotEditor edit() {
        return new SnapshotEditor(head, at, types, documents, index, users, expiries, sharedState);
    }
}
