/**
 * The log: commits, changes, hashes and the {@link dev.homeport.change.ChangeLog} port. Start reading at the port: its
 * prose is the contract that every store passes.
 */
@NullMarked
package dev.homeport.change;

import org.jspecify.annotations.NullMarked;
