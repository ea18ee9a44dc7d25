/** Connections in every state, cut off in every way, and more of them than there may be. */
@NullMarked
package dev.homeport.server.connection;

import org.jspecify.annotations.NullMarked;
