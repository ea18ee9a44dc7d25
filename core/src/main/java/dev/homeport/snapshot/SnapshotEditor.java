package dev.homeport.snapshot;

import dev.homeport.access.AccessKeys;
import dev.homeport.change.Head;
import dev.homeport.collection.Bits;
import dev.homeport.collection.SortedTree;
import dev.homeport.document.Document;
import dev.homeport.document.DocumentKey;
import dev.homeport.document.RuntimeTypes;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import dev.homeport.fleet.Expiries;
import dev.homeport.fleet.References;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A snapshot in the making. Used by one thread, for one commit or one load, and then done. */
final class SnapshotEditor {
    Head head;
    Instant at;
    TypeCatalog types;
    final Map<String, DocumentTable> documents;
    ClusterIndex index;
    SortedTree<String, SortedTree<DocumentKey, DocumentKey>> users;
    SortedTree<String, DocumentKey> expiries;
    Object sharedState;

    /** No cluster's answers depend on another's documents of these types. */
    private static final Set<String> WITHOUT_SHARE = Set.of(
            Types.CLUSTER,
            Types.CLUSTER_LIFE,
            Types.TOKEN,
            Types.FREEZE,
            Types.ACCESS_ROLE,
            Types.ACCESS_GRANT,
            Types.SIGN_OUT,
            Types.RESERVED_NAME,
            Types.OBSERVER,
            Types.REDACTION);

    private final Map<String, Bits.Editor> members = new HashMap<>();

    SnapshotEditor(
            Head head,
            Instant at,
            TypeCatalog types,
            Map<String, DocumentTable> documents,
            ClusterIndex index,
            SortedTree<String, SortedTree<DocumentKey, DocumentKey>> users,
            SortedTree<String, DocumentKey> expiries,
            Object sharedState) {
        this.head = head;
        this.at = at;
        this.types = types;
        this.documents = new HashMap<>(documents);
        this.index = index;
        this.users = users;
        this.expiries = expiries;
        this.sharedState = sharedState;
    }

    static SnapshotEditor empty(TypeCatalog builtIn) {
        return new SnapshotEditor(
                new Head("", 0, 0, dev.homeport.change.CommitHash.GENESIS),
                Instant.EPOCH,
                builtIn,
                Map.of(),
                ClusterIndex.EMPTY,
                SortedTree.empty(),
                SortedTree.empty(),
                new Object());
    }

    void put(Document after) {
        SortedTree<String, Document> ofType = tree(after.type());
        Document before = ofType.get(after.id());
        documents.put(after.type(), new DocumentTable(ofType.with(after.id(), after)));
        reindex(before, after);
    }

    void remove(DocumentKey key) {
        SortedTree<String, Document> ofType = tree(key.type());
        Document before = ofType.get(key.id());
        documents.put(key.type(), new DocumentTable(ofType.without(key.id())));
        reindex(before, null);
        touch(key.type());
    }

    private SortedTree<String, Document> tree(String type) {
        return documents.getOrDefault(type, DocumentTable.EMPTY).tree();
    }

    /** Everything that is derived from documents, brought from one version of a document to the next. */
    void reindex(@Nullable Document before, @Nullable Document after) {
        Document any = after == null ? before : after;
        if (any == null) {
            return;
        }
        if (after != null) {
            touch(after.type());
        }
        indexExpiry(before, after);
        switch (any.type()) {
            case Types.CLUSTER -> reindexCluster(any.id(), before, after);
            case Types.CLUSTER_LIFE -> {}
            case Types.TYPE -> retype(before, after);
            default -> reindexUsers(any.key(), before, after);
        }
    }

    void indexExpiry(@Nullable Document before, @Nullable Document after) {
        String old = before == null ? null : expiryKey(before);
        String now = after == null ? null : expiryKey(after);
        if (old != null) {
            expiries = expiries.without(old);
        }
        if (now != null && after != null) {
            expiries = expiries.with(now, after.key());
        }
    }

    void addMember(String key, int slot) {
        member(key).add(slot);
    }

    private void touch(String type) {
        if (!WITHOUT_SHARE.contains(type)) {
            sharedState = new Object();
        }
    }

    private void retype(@Nullable Document before, @Nullable Document after) {
        if (before != null) {
            types = types.without(before.id());
        }
        if (after != null && after.fault().isEmpty()) {
            types = types.with(RuntimeTypes.definition(after.tree()));
        }
    }

    private void reindexUsers(DocumentKey user, @Nullable Document before, @Nullable Document after) {
        Set<String> old = references(before);
        Set<String> now = references(after);
        for (String reference : old) {
            SortedTree<DocumentKey, DocumentKey> known = users.get(reference);
            if (!now.contains(reference) && known != null) {
                SortedTree<DocumentKey, DocumentKey> left = known.without(user);
                users = left.isEmpty() ? users.without(reference) : users.with(reference, left);
            }
        }
        for (String reference : now) {
            if (!old.contains(reference)) {
                SortedTree<DocumentKey, DocumentKey> known = users.get(reference);
                SortedTree<DocumentKey, DocumentKey> base = known == null ? SortedTree.empty() : known;
                users = users.with(reference, base.with(user, user));
            }
        }
    }

    private void reindexCluster(String id, @Nullable Document before, @Nullable Document after) {
        ClusterKeys old = before == null ? NO_KEYS : ClusterKeys.of(before);
        ClusterKeys now = after == null ? NO_KEYS : ClusterKeys.of(after);
        int slot = slot(id, after != null);
        for (String key : old.members()) {
            if (!now.members().contains(key)) {
                member(key).remove(slot);
            }
        }
        for (String key : now.members()) {
            if (!old.members().contains(key)) {
                member(key).add(slot);
            }
        }
        // Names seldom change, and taking one out and in again is most of the work of a large commit.
        if (!old.dnsNames().equals(now.dnsNames())) {
            rename(id, old, now);
        }
        if (after == null) {
            free(id, slot);
        }
    }

    private void rename(String id, ClusterKeys old, ClusterKeys now) {
        SortedTree<String, String> byDns = index.byDns();
        for (String dns : old.dnsNames()) {
            byDns = id.equals(byDns.get(dns)) ? byDns.without(dns) : byDns;
        }
        for (String dns : now.dnsNames()) {
            byDns = byDns.with(dns, id);
        }
        index = new ClusterIndex(index.slotOf(), index.slots(), byDns, index.members(), index.freeSlots());
    }

    private static final ClusterKeys NO_KEYS = new ClusterKeys(Set.of(), java.util.List.of());

    private Bits.Editor member(String key) {
        return members.computeIfAbsent(key, k -> index.clustersWith(k).edit());
    }

    private int slot(String id, boolean claim) {
        Integer known = index.slotOf().get(id);
        if (known != null) {
            return known;
        }
        if (!claim) {
            throw new IllegalStateException("cluster " + id + " has no slot");
        }
        boolean reuse = !index.freeSlots().isEmpty();
        int slot = reuse ? index.freeSlots().first() : index.slots().end();
        index = new ClusterIndex(
                index.slotOf().with(id, slot),
                index.slots().with(slot, id),
                index.byDns(),
                index.members(),
                reuse ? index.freeSlots().without(slot) : index.freeSlots());
        return slot;
    }

    private void free(String id, int slot) {
        index = new ClusterIndex(
                index.slotOf().without(id),
                index.slots().with(slot, null),
                index.byDns(),
                index.members(),
                index.freeSlots().with(slot));
    }

    private static Set<String> references(@Nullable Document document) {
        if (document == null || document.fault().isPresent()) {
            return Set.of();
        }
        Set<String> own = AccessKeys.of(document);
        return own.isEmpty() ? References.of(document) : both(References.of(document), own);
    }

    private static Set<String> both(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    private static @Nullable String expiryKey(Document document) {
        if (document.fault().isPresent()) {
            return null;
        }
        Optional<Instant> soonest = Expiries.soonest(document);
        return soonest.isEmpty() ? null : Expiries.sortable(soonest.get()) + " " + document.key();
    }

    Snapshot done(Head newHead, Instant time) {
        SortedTree<String, Bits> all = index.members();
        for (Map.Entry<String, Bits.Editor> entry : members.entrySet()) {
            Bits bits = entry.getValue().done();
            all = bits.isEmpty() ? all.without(entry.getKey()) : all.with(entry.getKey(), bits);
        }
        index = new ClusterIndex(index.slotOf(), index.slots(), index.byDns(), all, index.freeSlots());
        head = newHead;
        at = time;
        return new Snapshot(this);
    }
}
