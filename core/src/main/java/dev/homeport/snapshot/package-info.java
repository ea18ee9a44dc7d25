/**
 * The log folded up: an immutable {@link dev.homeport.snapshot.Snapshot}, the pure projection that makes the next one, and
 * the follower, which alone publishes it.
 */
@NullMarked
package dev.homeport.snapshot;

import org.jspecify.annotations.NullMarked;
