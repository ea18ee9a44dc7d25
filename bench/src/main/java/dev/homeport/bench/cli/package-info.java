/** How long the command line takes, beside one that everybody knows. */
@NullMarked
package dev.homeport.bench.cli;

import org.jspecify.annotations.NullMarked;
