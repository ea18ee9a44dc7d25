/** Numbers for Prometheus. No series has a cluster's name in it. */
@NullMarked
package dev.homeport.server.metrics;

import org.jspecify.annotations.NullMarked;
