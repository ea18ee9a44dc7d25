/** How much memory and time the core takes as the fleet grows. */
@NullMarked
package dev.homeport.bench.core;

import org.jspecify.annotations.NullMarked;
