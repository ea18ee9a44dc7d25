/** Planted bugs, each of which a named test must catch. */
@NullMarked
package dev.homeport.bench.zoo;

import org.jspecify.annotations.NullMarked;
