package dev.homeport.collection;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A persistent sorted map: a B+ tree whose nodes are copied on the way to a change and shared otherwise. One structure gives
 * lookup, order and paging, at about ten bytes an entry.
 */
public final class SortedTree<K extends Comparable<K>, V> {
    private static final int WIDTH = 64;
    private static final SortedTree<?, ?> EMPTY = new SortedTree<>(new Leaf(Keys.of(), new Object[0]), 0);

    private final Node root;
    private final int size;

    private SortedTree(Node root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    public static <K extends Comparable<K>, V> SortedTree<K, V> empty() {
        return (SortedTree<K, V>) EMPTY;
    }

    /** From keys in ascending order without duplicates, and the value of each. */
    public static <K extends Comparable<K>, V> SortedTree<K, V> ofSorted(List<K> keys, List<V> values) {
        if (keys.isEmpty()) {
            return empty();
        }
        int fill = WIDTH * 3 / 4;
        Node[] level = new Node[(keys.size() + fill - 1) / fill];
        for (int n = 0; n < level.length; n++) {
            int from = n * fill;
            int to = Math.min(keys.size(), from + fill);
            level[n] = new Leaf(
                    Keys.of(keys.subList(from, to).toArray()),
                    values.subList(from, to).toArray());
        }
        while (level.length > 1) {
            Node[] above = new Node[(level.length + fill - 1) / fill];
            for (int n = 0; n < above.length; n++) {
                above[n] = Inner.of(Arrays.copyOfRange(level, n * fill, Math.min(level.length, (n + 1) * fill)));
            }
            level = above;
        }
        return new SortedTree<>(level[0], keys.size());
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("unchecked")
    public @Nullable V get(K key) {
        Node node = root;
        while (node instanceof Inner inner) {
            node = inner.children[inner.childFor(key)];
        }
        Leaf leaf = (Leaf) node;
        int at = leaf.keys.find(key);
        return at < 0 ? null : (V) leaf.values[at];
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(get(key));
    }

    public SortedTree<K, V> with(K key, V value) {
        Entry entry = new Entry(key, value);
        Node[] parts = root.put(entry);
        Node next = parts.length == 1 ? parts[0] : Inner.of(parts);
        return new SortedTree<>(next, entry.replaced ? size : size + 1);
    }

    public SortedTree<K, V> without(K key) {
        if (get(key) == null) {
            return this;
        }
        Node next = root.remove(key);
        while (next instanceof Inner inner && inner.children.length == 1) {
            next = inner.children[0];
        }
        return next == null ? empty() : new SortedTree<>(next, size - 1);
    }

    /** All values in the order of their keys. */
    public Iterable<V> values() {
        return () -> new Walk<K, V, V>(root, null, Map.Entry::getValue);
    }

    public Iterable<Map.Entry<K, V>> entries() {
        return () -> new Walk<K, V, Map.Entry<K, V>>(root, null, Function.identity());
    }

    /** Entries whose key is at or behind the given one, in order. */
    public Iterable<Map.Entry<K, V>> from(K first) {
        return () -> new Walk<K, V, Map.Entry<K, V>>(root, first, Function.identity());
    }

    /** What is put in, and whether it took the place of another. */
    private static final class Entry {
        final Object key;
        final Object value;
        boolean replaced;

        Entry(Object key, Object value) {
            this.key = key;
            this.value = value;
        }
    }

    private sealed interface Node {
        Object first();

        int width();

        /** This node with the entry put in: one node, or two when it had to be split. */
        Node[] put(Entry entry);

        /** This node without the key, which it holds; null when nothing is left. */
        @Nullable
        Node remove(Object key);
    }

    private record Leaf(Keys keys, Object[] values) implements Node {
        @Override
        public Object first() {
            return keys.get(0);
        }

        @Override
        public int width() {
            return keys.size();
        }

        @Override
        public Node[] put(Entry entry) {
            int at = keys.find(entry.key);
            if (at >= 0) {
                entry.replaced = true;
                return new Node[] {new Leaf(keys, Slots.replaced(values, at, entry.value))};
            }
            int place = -at - 1;
            Keys nextKeys = keys.with(place, entry.key);
            Object[] nextValues = Slots.inserted(values, place, entry.value);
            if (nextValues.length <= WIDTH) {
                return new Node[] {new Leaf(nextKeys, nextValues)};
            }
            // Appending at the end is how ids with a counter arrive: leave the left part full.
            int half = place == keys.size() ? WIDTH : WIDTH / 2;
            return new Node[] {
                new Leaf(Keys.of(Arrays.copyOf(nextKeys.all(), half)), Arrays.copyOf(nextValues, half)),
                new Leaf(
                        Keys.of(Arrays.copyOfRange(nextKeys.all(), half, nextKeys.size())),
                        Arrays.copyOfRange(nextValues, half, nextValues.length))
            };
        }

        @Override
        public @Nullable Node remove(Object key) {
            int at = keys.find(key);
            return keys.size() == 1 ? null : new Leaf(keys.without(at), Slots.removed(values, at));
        }

        Leaf joined(Leaf right) {
            return new Leaf(Keys.of(Slots.joined(keys.all(), right.keys.all())), Slots.joined(values, right.values));
        }
    }

    private record Inner(Keys firsts, Node[] children) implements Node {
        static Inner of(Node[] children) {
            Object[] firsts = new Object[children.length];
            for (int i = 0; i < firsts.length; i++) {
                firsts[i] = children[i].first();
            }
            return new Inner(Keys.of(firsts), children);
        }

        int childFor(Object key) {
            int at = firsts.find(key);
            return at >= 0 ? at : Math.max(0, -at - 2);
        }

        @Override
        public Object first() {
            return firsts.get(0);
        }

        @Override
        public int width() {
            return children.length;
        }

        @Override
        public Node[] put(Entry entry) {
            int at = childFor(entry.key);
            Node[] parts = children[at].put(entry);
            if (parts.length == 1) {
                // Only the child on the way is looked at: its neighbours are 63 misses of the cache.
                Node[] same = children.clone();
                same[at] = parts[0];
                Object first = parts[0].first();
                return new Node[] {new Inner(first == firsts.get(at) ? firsts : firsts.replaced(at, first), same)};
            }
            Node[] next = new Node[children.length + parts.length - 1];
            System.arraycopy(children, 0, next, 0, at);
            System.arraycopy(parts, 0, next, at, parts.length);
            System.arraycopy(children, at + 1, next, at + parts.length, children.length - at - 1);
            if (next.length <= WIDTH) {
                return new Node[] {of(next)};
            }
            int half = at == children.length - 1 ? WIDTH : WIDTH / 2;
            return new Node[] {of(Arrays.copyOf(next, half)), of(Arrays.copyOfRange(next, half, next.length))};
        }

        @Override
        public @Nullable Node remove(Object key) {
            int at = childFor(key);
            Node left = children[at].remove(key);
            if (left == null) {
                return children.length == 1 ? null : of(Slots.removed(children, at));
            }
            Node[] next = children.clone();
            next[at] = left;
            return of(left.width() < WIDTH / 4 ? joinedAt(next, at) : next);
        }

        /** Joins the narrow child with a neighbour when both fit in one node. */
        private static Node[] joinedAt(Node[] children, int narrow) {
            int left = narrow == 0 ? 0 : narrow - 1;
            if (children.length == 1 || children[left].width() + children[left + 1].width() > WIDTH / 2) {
                return children;
            }
            Node joined = children[left] instanceof Leaf leaf
                    ? leaf.joined((Leaf) children[left + 1])
                    : of(Slots.joined(((Inner) children[left]).children, ((Inner) children[left + 1]).children));
            Node[] next = Slots.removed(children, left + 1);
            next[left] = joined;
            return next;
        }
    }

    private static final class Walk<K, V, R> implements Iterator<R> {
        private record Place(Inner node, int next) {}

        private final Deque<Place> above = new ArrayDeque<>();
        private final Function<Map.Entry<K, V>, R> view;
        private @Nullable Leaf leaf;
        private int at;

        Walk(Node root, @Nullable Object first, Function<Map.Entry<K, V>, R> view) {
            this.view = view;
            Node node = root;
            while (node instanceof Inner inner) {
                int child = first == null ? 0 : inner.childFor(first);
                above.push(new Place(inner, child + 1));
                node = inner.children[child];
            }
            leaf = (Leaf) node;
            if (first != null) {
                int found = leaf.keys.find(first);
                at = found >= 0 ? found : -found - 1;
            }
            settle();
        }

        private void settle() {
            while (leaf != null && at >= leaf.keys.size()) {
                leaf = nextLeaf();
                at = 0;
            }
        }

        private @Nullable Leaf nextLeaf() {
            while (!above.isEmpty()) {
                Place place = above.pop();
                if (place.next < place.node.children.length) {
                    above.push(new Place(place.node, place.next + 1));
                    Node node = place.node.children[place.next];
                    while (node instanceof Inner inner) {
                        above.push(new Place(inner, 1));
                        node = inner.children[0];
                    }
                    return (Leaf) node;
                }
            }
            return null;
        }

        @Override
        public boolean hasNext() {
            return leaf != null;
        }

        @Override
        @SuppressWarnings("unchecked")
        public R next() {
            if (leaf == null) {
                throw new NoSuchElementException();
            }
            R result = view.apply(Map.entry((K) leaf.keys.get(at), (V) leaf.values[at]));
            at++;
            settle();
            return result;
        }
    }
}
