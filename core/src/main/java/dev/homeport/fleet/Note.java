package dev.homeport.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The owner of an override or a patch, its reason, and its expiry. */
public record Note(
        @Nullable String owner,
        @Nullable String reason,
        @Nullable Instant expiresAt) {
    public static final Note NONE = new Note(null, null, null);
}
