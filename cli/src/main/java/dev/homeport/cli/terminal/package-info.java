/** The environment of a command: streams, variables, terminals, and text output. Start reading at {@code Surroundings}. */
@NullMarked
package dev.homeport.cli.terminal;

import org.jspecify.annotations.NullMarked;
