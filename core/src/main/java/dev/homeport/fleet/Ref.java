package dev.homeport.fleet;

import org.jspecify.annotations.Nullable;

/**
 * One entry of a layer's list. An absent field inherits.
 *
 * @param assign false: only overrides where another layer assigns
 * @param remove takes the item out, and forgets what earlier layers said about it
 */
public record Ref(
        String id,
        @Nullable Boolean enabled,
        @Nullable String componentPath,
        @Nullable String ociTag,
        boolean assign,
        boolean remove,
        Note note) {}
