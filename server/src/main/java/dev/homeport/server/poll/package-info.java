/** The poll plane. Depends on snapshots, answers and rights, never on the log or the store. */
@NullMarked
package dev.homeport.server.poll;

import org.jspecify.annotations.NullMarked;
