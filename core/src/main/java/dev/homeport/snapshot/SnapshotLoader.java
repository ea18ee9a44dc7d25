package dev.homeport.snapshot;

import dev.homeport.change.ChangeLog;
import dev.homeport.change.Commit;
import dev.homeport.change.Head;
import dev.homeport.collection.SlotTable;
import dev.homeport.collection.SortedTree;
import dev.homeport.document.Document;
import dev.homeport.document.SchemaVersion;
import dev.homeport.document.TypeCatalog;
import dev.homeport.document.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds a snapshot from documents that arrive in order, in bulk: no intermediate versions are made. */
public final class SnapshotLoader {
    private final Map<String, List<Document>> byType = new TreeMap<>();
    private final Map<String, String> dnsNames = new TreeMap<>();
    private final SnapshotEditor editor;

    private SnapshotLoader(TypeCatalog builtIn) {
        this.editor = SnapshotEditor.empty(builtIn);
    }

    /** Loads all of the log's current documents; throws if the store finds them wrong. */
    public static Snapshot load(ChangeLog log, TypeCatalog builtIn) {
        SnapshotLoader loader = new SnapshotLoader(builtIn);
        Head head = log.load(loader::add);
        return loader.done(head, log.newest().map(Commit::at).orElse(Instant.EPOCH));
    }

    private void add(Document document) {
        byType.computeIfAbsent(document.type(), type -> new ArrayList<>()).add(SchemaVersion.read(document));
    }

    private Snapshot done(Head head, Instant at) {
        // Types first: what a layer refers to is read with them.
        for (String type : order()) {
            List<Document> documents = byType.getOrDefault(type, List.of());
            List<String> ids = new ArrayList<>(documents.size());
            documents.forEach(document -> ids.add(document.id()));
            editor.documents.put(type, new DocumentTable(SortedTree.ofSorted(ids, documents)));
            if (type.equals(Types.CLUSTER)) {
                loadClusters(ids, documents);
            } else {
                documents.forEach(document -> editor.reindex(null, document));
            }
        }
        return editor.done(head, at);
    }

    private List<String> order() {
        List<String> types = new ArrayList<>(byType.keySet());
        types.sort((a, b) -> Boolean.compare(b.equals(Types.TYPE), a.equals(Types.TYPE)));
        return types;
    }

    private void loadClusters(List<String> ids, List<Document> documents) {
        List<Integer> slots = new ArrayList<>(ids.size());
        for (int slot = 0; slot < ids.size(); slot++) {
            slots.add(slot);
            Document document = documents.get(slot);
            ClusterKeys keys = ClusterKeys.of(document);
            for (String key : keys.members()) {
                editor.addMember(key, slot);
            }
            for (String dns : keys.dnsNames()) {
                dnsNames.put(dns, document.id());
            }
            editor.indexExpiry(null, document);
        }
        editor.index = new ClusterIndex(
                SortedTree.ofSorted(ids, slots),
                SlotTable.of(ids, ids.size()),
                SortedTree.ofSorted(List.copyOf(dnsNames.keySet()), List.copyOf(dnsNames.values())),
                SortedTree.empty(),
                dev.homeport.collection.Bits.NONE);
    }

    /** The snapshot of a log in which nothing has happened yet. */
    public static Snapshot empty(TypeCatalog builtIn) {
        SnapshotEditor editor = SnapshotEditor.empty(builtIn);
        return editor.done(editor.head, editor.at);
    }
}
