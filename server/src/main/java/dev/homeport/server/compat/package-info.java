/** The root paths of flux-resourceset, kept for those who come from it: thin adapters over the writer and the snapshot. Start reading at {@link dev.homeport.server.compat.RootRoutes}. */
@NullMarked
package dev.homeport.server.compat;

import org.jspecify.annotations.NullMarked;
