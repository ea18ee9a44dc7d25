/** A simulated fleet while its server is killed again and again, and while components are removed. */
@NullMarked
package dev.homeport.bench.faults;

import org.jspecify.annotations.NullMarked;
