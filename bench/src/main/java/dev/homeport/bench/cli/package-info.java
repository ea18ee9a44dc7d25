/** How long the command line takes, compared with kubectl. */
@NullMarked
package dev.homeport.bench.cli;

import org.jspecify.annotations.NullMarked;
