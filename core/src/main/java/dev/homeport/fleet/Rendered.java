package dev.homeport.fleet;

import org.jspecify.annotations.Nullable;

/** An answer in bytes. */
public final class Rendered {
    /** The empty rendering. */
    public static final Rendered NOTHING = new Rendered(new byte[0], 0, "");

    private final byte[] body;
    private final int inputs;
    private @Nullable String digest;

    Rendered(byte[] body, int inputs, @Nullable String digest) {
        this.body = body;
        this.inputs = inputs;
        this.digest = digest;
    }

    /** Shared: read only. */
    public byte[] body() {
        return body;
    }

    /** How many inputs the client will see. */
    public int inputs() {
        return inputs;
    }

    /**
     * Names the content; equal content, equal digest, whenever and wherever it was rendered. The set shape carries it in the
     * body; for the flat shape it is a hash of the body, made when asked for.
     */
    public String digest() {
        String known = digest;
        if (known == null) {
            known = Rendering.digest(body);
            digest = known;
        }
        return known;
    }
}
