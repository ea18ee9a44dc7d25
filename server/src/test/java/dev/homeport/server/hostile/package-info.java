/** Every operation of the description, first as it should be called and then as it should not. */
@NullMarked
package dev.homeport.server.hostile;

import org.jspecify.annotations.NullMarked;
