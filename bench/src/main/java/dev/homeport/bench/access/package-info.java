/** The cost of showing each caller only what it may see. */
@NullMarked
package dev.homeport.bench.access;

import org.jspecify.annotations.NullMarked;
