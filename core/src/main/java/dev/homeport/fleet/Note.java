package dev.homeport.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who stands behind an override or a patch, why, and until when. */
public record Note(
        @Nullable String owner,
        @Nullable String reason,
        @Nullable Instant expiresAt) {
    public static final Note NONE = new Note(null, null, null);
}
