package dev.homeport.fleet;

import dev.homeport.json.GoJson;
import dev.homeport.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns an answer into bytes, the only place that can print an empty list. The bytes are canonical JSON, put together from
 * parts that were encoded once.
 */
public final class Rendering {
    public static final int NEWEST_FORMAT = 3;

    /** From this format on a cluster's templates compute the digest of what they got, with Go's JSON. */
    private static final int DIGEST_CHECKED = 3;

    /** Flux refuses 900 KiB; the rest is room for what wraps an answer. */
    public static final int MAX_BYTES = 800 * 1024;

    private static final int DIGEST_LENGTH = 32;
    private static final int ENVELOPE = 512;
    private static final byte[] NO_DIGEST = new byte[DIGEST_LENGTH];

    private static final MessageDigest SHA_256 = lookUp();

    private Rendering() {}

    public static Rendered render(Answer.Served answer, WireShape shape) {
        return switch (shape) {
            case FLAT -> flat(answer);
            case SET -> set(answer);
        };
    }

    /** Whether both bodies are certainly short enough; cheap, and false now and then although they are. */
    public static boolean surelyFits(ClusterBlock cluster, Iterable<Item> items) {
        long bound = ENVELOPE;
        int block = block(cluster).length() + 1;
        for (Item item : items) {
            bound += item.bound() + block;
        }
        return bound <= MAX_BYTES;
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
        byte[] block = block(answer.cluster()).add(',').toArray();
        int size = "{\"inputs\":[]}".length() + Math.max(0, answer.items().size() - 1);
        for (Item item : answer.items()) {
            size += item.flatLength() + block.length;
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
            out.add(item.fill().flat()).add(frame.tail());
        }
        out.add("]}");
        return new Rendered(out.toArray(), answer.items().size(), null);
    }

    /**
     * The digest covers {@code {cluster,drain,format,id,items,type}}. In the body these stand in the same order, with
     * {@code count} and the digest itself between the first and the second, so everything is written once, with room left
     * for the digest, and hashed where it stands. The few answers that Go writes in other bytes are written twice.
     */
    private static Rendered set(Answer.Served answer) {
        boolean drain = answer instanceof Answer.ConfirmedEmpty;
        Bytes block = block(answer.cluster());
        Bytes count = new Bytes(64).add(",\"count\":" + enabled(answer) + ",\"digest\":\"");
        Bytes head = new Bytes(128)
                .add("\",\"drain\":" + drain + ",\"format\":" + answer.format() + ",\"id\":")
                .quoted(answer.cluster().id())
                .add(",\"items\":");
        Bytes end = new Bytes(64).add(",\"type\":").quoted(answer.type()).add("}]}");

        int blockFrom = "{\"inputs\":[{".length();
        int digestFrom = blockFrom + block.length() + count.length();
        Bytes out = new Bytes(digestFrom + DIGEST_LENGTH + head.length() + itemsLength(answer) + end.length());
        out.add("{\"inputs\":[{").add(block).add(count).add(NO_DIGEST).add(head);
        items(answer, out);
        out.add(end);

        int from = digestFrom + DIGEST_LENGTH + "\"".length();
        MessageDigest sha = sha256();
        sha.update(out.buffer(), blockFrom - 1, block.length() + 1);
        sha.update(out.buffer(), from, out.length() - "]}".length() - from);
        String digest = hex(sha.digest());
        out.set(digestFrom, digest.getBytes(StandardCharsets.ISO_8859_1));
        if (answer.format() >= DIGEST_CHECKED && GoJson.mayDiffer(out.buffer(), out.length())) {
            digest = digest(GoJson.bytes(digested(out.toArray())));
            out.set(digestFrom, digest.getBytes(StandardCharsets.ISO_8859_1));
        }
        return new Rendered(out.toArray(), 1, digest);
    }

    /** What the digest covers, read from a body. */
    private static ObjectNode digested(byte[] body) {
        ObjectNode set = (ObjectNode) StrictJson.read(body).get("inputs").get(0);
        return set.without(List.of("count", "digest"));
    }

    private static int itemsLength(Answer.Served answer) {
        int size = 1;
        for (Item item : answer.items()) {
            size += item.enabled() ? item.setLength() + 1 : 0;
        }
        return Math.max(2, size);
    }

    private static void items(Answer.Served answer, Bytes out) {
        out.add('[');
        boolean first = true;
        for (Item item : answer.items()) {
            if (item.enabled()) {
                if (!first) {
                    out.add(',');
                }
                first = false;
                out.add(item.set().head())
                        .add(item.fill().nested())
                        .add(item.set().tail());
            }
        }
        out.add(']');
    }

    private static int enabled(Answer.Served answer) {
        int count = 0;
        for (Item item : answer.items()) {
            count += item.enabled() ? 1 : 0;
        }
        return count;
    }

    private static Bytes block(ClusterBlock cluster) {
        return new Bytes(256)
                .add("\"cluster\":{\"dns\":")
                .quoted(cluster.dns())
                .add(",\"environment\":")
                .quoted(cluster.environment())
                .add(",\"name\":")
                .quoted(cluster.name())
                .add('}');
    }

    static String digest(byte[] body) {
        return hex(sha256().digest(body));
    }

    private static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash).substring(0, DIGEST_LENGTH);
    }

    /** A copy of one that is looked up once: looking it up takes longer than hashing a short answer. */
    private static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e); // the JDK's own can be copied
        }
    }

    private static MessageDigest lookUp() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
