/** Clusters that are not there: they poll and report over HTTP as Flux does, and nothing here knows the server's inside. */
@NullMarked
package dev.homeport.sim;

import org.jspecify.annotations.NullMarked;
