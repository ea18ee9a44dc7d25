/**
 * The desired state of a cluster: layers, the merge, the pure resolver, and the answers rendered from it. No port, clock,
 * thread or logger. Start reading at {@link dev.homeport.fleet.Resolver}.
 */
@NullMarked
package dev.homeport.fleet;

import org.jspecify.annotations.NullMarked;
