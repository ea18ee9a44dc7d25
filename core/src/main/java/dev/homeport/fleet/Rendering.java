package dev.homeport.fleet;

import dev.homeport.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Turns an answer into bytes, the only place that can print an empty list. The bytes are canonical JSON, put together from
 * parts that were encoded once.
 */
public final class Rendering {
    public static final int NEWEST_FORMAT = 1;

    /** Flux refuses 900 KiB; the rest is room for what wraps an answer. */
    public static final int MAX_BYTES = 800 * 1024;

    private static final int DIGEST_LENGTH = 32;
    private static final int ENVELOPE = 512;

    private Rendering() {}

    public static Rendered render(Answer.Served answer, WireShape shape) {
        return switch (shape) {
            case FLAT -> flat(answer);
            case SET -> set(answer);
        };
    }

    /** How long the longer of the two bodies would be, give or take an envelope. */
    public static long size(ClusterBlock cluster, Iterable<Item> items) {
        long block = block(cluster).length();
        long flat = ENVELOPE;
        long set = ENVELOPE + block;
        for (Item item : items) {
            flat += item.flatLength() + block + 1;
            set += item.enabled() ? item.setLength() + 1 : 0;
        }
        return Math.max(flat, set);
    }

    private static Rendered flat(Answer.Served answer) {
        byte[] block = (block(answer.cluster()) + ",").getBytes(StandardCharsets.UTF_8);
        int size = 16;
        for (Item item : answer.items()) {
            size += item.flatLength() + block.length + 1;
        }
        Bytes out = new Bytes(size).add("{\"inputs\":[");
        boolean first = true;
        for (Item item : answer.items()) {
            if (!first) {
                out.add(',');
            }
            first = false;
            Frame frame = item.flat();
            out.add(frame.head(), 0, frame.split()).add(block);
            out.add(frame.head(), frame.split(), frame.head().length - frame.split());
            out.add(item.flatFill()).add(frame.tail());
        }
        out.add("]}");
        return new Rendered(
                out.toArray(),
                digest(out.buffer(), 0, out.length()),
                answer.items().size());
    }

    /**
     * The digest stands between members that it covers, and leaves out {@code count}, so the covered bytes are hashed piece by
     * piece in canonical order: {@code {cluster,drain,format,id,items,type}}.
     */
    private static Rendered set(Answer.Served answer) {
        boolean drain = answer instanceof Answer.ConfirmedEmpty;
        Bytes items = items(answer);
        String block = block(answer.cluster());
        StringBuilder middle = new StringBuilder();
        middle.append("\"drain\":")
                .append(drain)
                .append(",\"format\":")
                .append(answer.format())
                .append(",\"id\":");
        CanonicalJson.string(answer.cluster().id(), middle);
        middle.append(",\"items\":");
        StringBuilder end = new StringBuilder(",\"type\":");
        CanonicalJson.string(answer.type(), end);
        end.append('}');

        MessageDigest sha = sha256();
        sha.update(utf8("{" + block + "," + middle));
        sha.update(items.buffer(), 0, items.length());
        sha.update(utf8(end.toString()));
        String digest = hex(sha.digest());

        int count = enabled(answer);
        byte[] start =
                utf8("{\"inputs\":[{" + block + ",\"count\":" + count + ",\"digest\":\"" + digest + "\"," + middle);
        byte[] close = utf8(end + "]}");
        Bytes out = new Bytes(start.length + items.length() + close.length);
        out.add(start).add(items.buffer(), 0, items.length()).add(close);
        return new Rendered(out.toArray(), digest, 1);
    }

    private static Bytes items(Answer.Served answer) {
        int size = 2;
        for (Item item : answer.items()) {
            size += item.enabled() ? item.setLength() + 1 : 0;
        }
        Bytes out = new Bytes(size).add('[');
        boolean first = true;
        for (Item item : answer.items()) {
            if (item.enabled()) {
                if (!first) {
                    out.add(',');
                }
                first = false;
                out.add(item.set().head()).add(item.setFill()).add(item.set().tail());
            }
        }
        return out.add(']');
    }

    private static int enabled(Answer.Served answer) {
        int count = 0;
        for (Item item : answer.items()) {
            count += item.enabled() ? 1 : 0;
        }
        return count;
    }

    private static String block(ClusterBlock cluster) {
        StringBuilder out = new StringBuilder("\"cluster\":{\"dns\":");
        CanonicalJson.string(cluster.dns(), out);
        out.append(",\"environment\":");
        CanonicalJson.string(cluster.environment(), out);
        out.append(",\"name\":");
        CanonicalJson.string(cluster.name(), out);
        return out.append('}').toString();
    }

    private static String digest(byte[] bytes, int from, int count) {
        MessageDigest sha = sha256();
        sha.update(bytes, from, count);
        return hex(sha.digest());
    }

    private static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash).substring(0, DIGEST_LENGTH);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
