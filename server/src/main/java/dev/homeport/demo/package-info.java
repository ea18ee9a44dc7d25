/** A demo: simulated clusters and a month of history on a real server. */
@NullMarked
package dev.homeport.demo;

import org.jspecify.annotations.NullMarked;
