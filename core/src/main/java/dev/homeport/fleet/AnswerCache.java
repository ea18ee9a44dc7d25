package dev.homeport.fleet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Rendered bytes, kept while there is room. Two generations: when the young one is full, it becomes the old one and what was
 * not used since is dropped. Losing an entry costs a few microseconds, so nothing cleverer is needed.
 */
public final class AnswerCache {
    /** About what an entry takes besides its bytes. */
    private static final long OVERHEAD = 300;

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

    /**
     * A rendered answer. The first client that accepts gzip replaces the plain form, as a cluster's client always accepts it;
     * where both forms are asked for, both are kept while there is room.
     */
    public final class Entry {
        private final State state;
        private final String digest;
        private volatile byte @Nullable [] plain;
        private volatile byte @Nullable [] gzip;

        private Entry(State state, String digest, byte @Nullable [] plain, byte @Nullable [] gzip) {
            this.state = state;
            this.digest = digest;
            this.plain = plain;
            this.gzip = gzip;
        }

        public String digest() {
            return digest;
        }

        /** Shared: read only. */
        public byte[] body() {
            byte[] known = plain;
            return known != null ? known : unzip();
        }

        /** Shared: read only. */
        public byte[] gzip() {
            byte[] known = gzip;
            return known != null ? known : zip();
        }

        private synchronized byte[] zip() {
            byte[] known = gzip;
            byte[] body = plain;
            if (known == null && body != null) {
                known = gzipped(body);
                gzip = known;
                plain = null;
                weight.addAndGet(known.length - body.length);
            }
            return Objects.requireNonNull(known, "an entry has one form at least");
        }

        private synchronized byte[] unzip() {
            byte[] known = plain;
            if (known == null) {
                known = unzipped(gzip());
                if (weight.get() + known.length <= maxWeight) {
                    plain = known;
                    weight.addAndGet(known.length);
                }
            }
            return known;
        }

        /** The same bytes for another state. */
        private synchronized Entry at(State other) {
            return new Entry(other, digest, plain, gzip);
        }

        private long size() {
            byte[] body = plain;
            byte[] zipped = gzip;
            return OVERHEAD + (body == null ? 0 : body.length) + (zipped == null ? 0 : zipped.length);
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
        Entry entry = before != null && before.digest.equals(rendered.digest())
                ? before.at(state)
                : new Entry(state, rendered.digest(), rendered.body(), null);
        add(key, entry);
        return entry;
    }

    public long weight() {
        return weight.get();
    }

    private void add(Key key, Entry entry) {
        young.put(key, entry);
        if (weight.addAndGet(entry.size()) > maxWeight) {
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

    private static byte[] unzipped(byte[] gzip) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
