/**
 * The only way in. {@link dev.homeport.write.Writer} turns operations into a planned, guarded, confirmed commit, or refuses
 * with a reason.
 */
@NullMarked
package dev.homeport.write;

import org.jspecify.annotations.NullMarked;
