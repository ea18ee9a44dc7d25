/** What it costs that everybody sees only what is his. */
@NullMarked
package dev.homeport.bench.access;

import org.jspecify.annotations.NullMarked;
