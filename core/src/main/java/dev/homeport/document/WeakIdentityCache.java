package dev.homeport.document;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values computed once for an object and forgotten with it. Objects are compared by identity: comparing schemas is slow. */
final class WeakIdentityCache<K, V> {
    private final ConcurrentHashMap<Key<K>, V> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<K> gone = new ReferenceQueue<>();
    private final Function<K, V> function;

    WeakIdentityCache(Function<K, V> function) {
        this.function = function;
    }

    V get(K object) {
        for (var old = gone.poll(); old != null; old = gone.poll()) {
            values.remove(old);
        }
        return values.computeIfAbsent(new Key<>(object, gone), key -> function.apply(object));
    }

    private static final class Key<K> extends WeakReference<K> {
        private final int hash;

        Key(K object, ReferenceQueue<K> queue) {
            super(object, queue);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other || (other instanceof Key<?> key && get() != null && get() == key.get());
        }
    }
}
