package dev.homeport.store;

import java.util.function.Supplier;

/**
 * How a store is to be opened.
 *
 * @param initialise whether a store may be made where one is expected but missing
 * @param quarantined whether a store that is made begins in quarantine, because a backup is about to be restored into it
 * @param newStoreId names a store that is made; asked for at most once
 */
public record Opening(Mode mode, boolean initialise, boolean quarantined, Supplier<String> newStoreId) {

    /** What the process wants to do. */
    public enum Mode {
        WRITER,
        /** Reads only, beside a writer in another process. */
        FOLLOWER,
        /** An operator's command that changes what the store says about itself, beside a writer in another process. */
        OPERATOR
    }

    public static Opening writer(Supplier<String> newStoreId) {
        return new Opening(Mode.WRITER, false, false, newStoreId);
    }

    public static Opening follower() {
        return new Opening(Mode.FOLLOWER, false, false, Opening::none);
    }

    public static Opening operator() {
        return new Opening(Mode.OPERATOR, false, false, Opening::none);
    }

    public Opening initialising() {
        return new Opening(mode, true, quarantined, newStoreId);
    }

    /** For a restore: what is made here must not be served before an operator accepts it. */
    public Opening inQuarantine() {
        return new Opening(mode, initialise, true, newStoreId);
    }

    private static String none() {
        throw new IllegalStateException("only a writer makes a store");
    }

    boolean writes() {
        return mode == Mode.WRITER;
    }
}
