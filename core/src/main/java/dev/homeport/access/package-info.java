/** Who is calling, and the one question that is asked of every operation. */
@NullMarked
package dev.homeport.access;

import org.jspecify.annotations.NullMarked;
