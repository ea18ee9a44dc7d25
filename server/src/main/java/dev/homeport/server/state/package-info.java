/**
 * The health of every cluster, kept up to date with each event. Start reading at {@link
 * dev.homeport.server.state.StateBoard}.
 */
@NullMarked
package dev.homeport.server.state;

import org.jspecify.annotations.NullMarked;
