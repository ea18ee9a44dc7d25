package dev.homeport.fleet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Rendered bytes, kept while there is room. Two generations: when the young one is full, it becomes the old one and what
 * nobody asked for since is dropped. Losing an entry costs a few microseconds, so nothing cleverer is needed.
 */
public final class AnswerCache {
    private final long maxWeight;
    private final AtomicLong weight = new AtomicLong();
    private volatile ConcurrentHashMap<Key, Entry> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<Key, Entry> old = new ConcurrentHashMap<>();

    /** @param maxBytes about how much may be kept */
    public AnswerCache(long maxBytes) {
        this.maxWeight = maxBytes / 2;
    }

    /** What was rendered. */
    public record Key(String cluster, String type, WireShape shape) {}

    /**
     * From which state it was rendered: an answer depends on these and on nothing else.
     *
     * @param shared stands for everything but clusters, in one version of the log; compared by identity
     * @param cluster the revision of the cluster's document
     * @param life the revision of what is kept about its life
     */
    public record State(Object shared, long cluster, long life) {}

    /** A rendered answer with its gzipped form, which is made when first asked for. */
    public static final class Entry {
        private final State state;
        private final Rendered rendered;
        private volatile byte @Nullable [] gzip;

        private Entry(State state, Rendered rendered, byte @Nullable [] gzip) {
            this.state = state;
            this.rendered = rendered;
            this.gzip = gzip;
        }

        public Rendered rendered() {
            return rendered;
        }

        public byte[] gzip() {
            byte[] known = gzip;
            if (known == null) {
                known = gzipped(rendered.body());
                gzip = known;
            }
            return known;
        }
    }

    public @Nullable Entry get(Key key, State state) {
        Entry entry = young.get(key);
        if (entry == null) {
            entry = old.get(key);
            if (entry != null && entry.state.equals(state)) {
                add(key, entry);
            }
        }
        return entry != null && entry.state.equals(state) ? entry : null;
    }

    /** Keeps a new rendering; if it came out the same as the one before, its gzipped form is kept too. */
    public Entry put(Key key, State state, Rendered rendered) {
        Entry before = young.get(key);
        if (before == null) {
            before = old.get(key);
        }
        Entry entry = before != null && before.rendered.digest().equals(rendered.digest())
                ? new Entry(state, before.rendered, before.gzip)
                : new Entry(state, rendered, null);
        add(key, entry);
        return entry;
    }

    public long weight() {
        return weight.get();
    }

    private void add(Key key, Entry entry) {
        young.put(key, entry);
        // The gzipped form, about an eighth, is counted from the start.
        if (weight.addAndGet(entry.rendered.body().length * 9L / 8 + 200) > maxWeight) {
            turn();
        }
    }

    private synchronized void turn() {
        if (weight.get() > maxWeight) {
            old = young;
            young = new ConcurrentHashMap<>();
            weight.set(0);
        }
    }

    private static byte[] gzipped(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4 + 64);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out, 4096)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
