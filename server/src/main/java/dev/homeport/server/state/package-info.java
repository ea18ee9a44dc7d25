/** How every cluster is, kept up to date as things happen. Start reading at {@link dev.homeport.server.state.StateBoard}. */
@NullMarked
package dev.homeport.server.state;

import org.jspecify.annotations.NullMarked;
