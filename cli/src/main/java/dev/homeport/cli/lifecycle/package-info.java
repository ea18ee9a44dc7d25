/** Commands about the life of a cluster, from adoption to purge. */
@NullMarked
package dev.homeport.cli.lifecycle;

import org.jspecify.annotations.NullMarked;
