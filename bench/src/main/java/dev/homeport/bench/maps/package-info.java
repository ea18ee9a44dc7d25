/** Our persistent map beside those of libraries. */
@NullMarked
package dev.homeport.bench.maps;

import org.jspecify.annotations.NullMarked;
