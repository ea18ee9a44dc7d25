/** Simulated clusters: they poll and report over HTTP as Flux does, and nothing here uses classes of the server. */
@NullMarked
package dev.homeport.sim;

import org.jspecify.annotations.NullMarked;
