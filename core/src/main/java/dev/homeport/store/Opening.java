package dev.homeport.store;

import java.util.function.Supplier;

/**
 * How a store is to be opened.
 *
 * @param initialise whether a store may be made where one is expected but missing
 * @param newStoreId names a store that is made; asked for at most once
 */
public record Opening(Mode mode, boolean initialise, Supplier<String> newStoreId) {

    /** What the process wants to do. */
    public enum Mode {
        WRITER,
        /** Reads only, beside a writer in another process. */
        FOLLOWER
    }

    public static Opening writer(Supplier<String> newStoreId) {
        return new Opening(Mode.WRITER, false, newStoreId);
    }

    public static Opening follower() {
        return new Opening(Mode.FOLLOWER, false, () -> {
            throw new IllegalStateException("a follower makes no store");
        });
    }

    public Opening initialising() {
        return new Opening(mode, true, newStoreId);
    }

    boolean writes() {
        return mode == Mode.WRITER;
    }
}
