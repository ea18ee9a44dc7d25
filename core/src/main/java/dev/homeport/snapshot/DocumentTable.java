package dev.homeport.snapshot;

import dev.homeport.collection.SortedTree;
import dev.homeport.document.Document;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All documents of one type. A catalog is small and asked for twenty times a poll, so it is hashed when first asked. */
final class DocumentTable {
    static final DocumentTable EMPTY = new DocumentTable(SortedTree.empty());

    /** Hashing this many takes microseconds, and happens once per change of the type. */
    private static final int MAX_HASHED = 1024;

    private final SortedTree<String, Document> tree;
    private volatile @Nullable Map<String, Document> hashed;

    DocumentTable(SortedTree<String, Document> tree) {
        this.tree = tree;
    }

    SortedTree<String, Document> tree() {
        return tree;
    }

    @Nullable
    Document get(String id) {
        Map<String, Document> known = hashed;
        if (known != null) {
            return known.get(id);
        }
        return tree.size() > MAX_HASHED ? tree.get(id) : hashed().get(id);
    }

    private Map<String, Document> hashed() {
        Map<String, Document> all = HashMap.newHashMap(tree.size());
        tree.values().forEach(document -> all.put(document.id(), document));
        hashed = all;
        return all;
    }
}
